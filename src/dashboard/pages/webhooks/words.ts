import type { DeliveryStatus } from '../../../../schemas/delivery.js';
import type { Tone } from '../../components/notice.js';

export const STATUS_WORDS: Record<DeliveryStatus, { tone: Tone; word: string }> = {
  pending: { tone: 'wait', word: 'Waiting' },
  success: { tone: 'ok', word: 'Arrived' },
  failed: { tone: 'bad', word: 'Failed' },
};
