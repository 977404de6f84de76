import type { BatchCounts } from '../../../schemas/batch.js';
import type { BatchEventBody, BatchEventData } from '../../../schemas/event.js';
import type { BatchRecord } from '../ports/index.js';
import type { Events } from '../webhooks/events.js';

type Status = BatchEventData['batch']['status'];

/**
 * Records `batch.finished`, once per batch. Call it before the batch's job ends: if the process is killed in between, the
 * next one records it again.
 */
export async function recordFinished(
  events: Events,
  { account_id, batch_id, spec, started_at }: BatchRecord,
  status: Status,
  counts: BatchCounts,
): Promise<void> {
  const data: BatchEventData = {
    batch: {
      batch_id,
      undoes: spec.kind === 'undo' ? spec.undoes : null,
      status,
      // The end of the job cancels the items that it did not reach.
      counts: { ...counts, waiting: 0, canceled: counts.canceled + counts.waiting },
      started_at,
    },
  };
  const key = `batch:${batch_id}`;
  await events.record({ account_id, event_type: 'batch.finished', data, subject: key, change_key: key });
}

/** For the documentation. */
export const BATCH_EXAMPLE: BatchEventBody = {
  id: 'evt_7hKq2mVbPzX4cRt9wNaLdE',
  type: 'batch.finished',
  created_at: '2026-11-24T15:12:30.000Z',
  data: {
    batch: {
      batch_id: 'batch_5c1t9wQ7zKp3vXn8rYbHdA',
      undoes: null,
      status: 'completed',
      counts: {
        listings: 40,
        shops: 2,
        items: 80,
        changed: 78,
        unchanged: 2,
        refused: 0,
        waiting: 0,
        ok: 77,
        error: 1,
        canceled: 0,
      },
      started_at: '2026-11-24T15:10:02.000Z',
    },
  },
};
