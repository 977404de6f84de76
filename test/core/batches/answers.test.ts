import { describe, expect, it } from 'vitest';
import type { BatchCounts } from '../../../schemas/batch.js';
import { describeBatch } from '../../../src/core/batches/answers.js';
import type { BatchRecord, BatchSpec } from '../../../src/core/ports/index.js';

const COUNTS: BatchCounts = {
  listings: 3,
  shops: 1,
  items: 3,
  changed: 3,
  unchanged: 0,
  refused: 0,
  waiting: 0,
  ok: 1,
  error: 2,
  canceled: 0,
};

/** The message of a completed batch in which two items failed. */
function describeFailed(spec: Partial<BatchSpec>): string {
  const batch = { batch_id: 'batch_1', status: 'completed', reason: null, cost_usd: 0, started_at: '', spec };
  return describeBatch(batch as unknown as BatchRecord, COUNTS);
}

describe('the message of a batch in which some items failed', () => {
  it('asks to undo begun items first if the edits would change them twice', () => {
    const percent = { field: 'price', op: 'increase_percent', value: 10 } as const;
    expect(describeFailed({ kind: 'edit', edits: [percent] })).toContain(
      'To plan the failed items again, call batch_create with select {"batch_id": "batch_1", "item_status": "error"} and the same edits. First undo those that have a job_id: these edits would change them twice.',
    );
  });

  it('offers to plan edits again directly if they can be repeated', () => {
    const tag = { field: 'tags', op: 'add', value: ['gift'] };
    expect(describeFailed({ kind: 'edit', edits: [tag] })).not.toContain('twice');
  });

  it('names the sheet for a batch of a sheet', () => {
    expect(describeFailed({ kind: 'sheet' })).toContain('call batch_create with the same sheet.');
  });
});
