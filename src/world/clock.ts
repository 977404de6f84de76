import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/ports/world.js';

export const systemClock: Clock = {
  now: () => new Date(),
  async sleep(duration_ms, signal) {
    try {
      await sleep(duration_ms, undefined, signal && { signal });
    } catch (cause) {
      throw signal?.aborted ? signal.reason : cause;
    }
  },
};
