import { sql } from 'kysely';
import type { ClaimedDelivery, DeliveryEnd } from '../core/ports/index.js';
import type { Database } from './database.js';
import { IS_CLAIMED } from './deliveries.js';

/** Widths of the ranges of `seq` that delivery_buckets counts, widest first; its triggers name them too. */
export const SIZES = [1_000_000, 10_000, 100] as const;

export type Told = {
  delivery: Pick<ClaimedDelivery, 'id' | 'seq' | 'account_id'> & { claim: { owner: string | null } };
  end: DeliveryEnd;
};
type Range = { account_id: string; size: number; bucket: number } & Record<DeliveryEnd['status'], number>;

/**
 * Ends what was claimed, and counts it: once for each range, since those that end together mostly stand together. No trigger does,
 * where `claimed_until` goes with the status. Answers those that are ended by this, and not before or by another.
 */
export function prepareEndClaimed(database: Database): <One extends Told>(all: readonly One[]) => One[] {
  const endOne = database.prepare(
    sql`
      UPDATE OR ROLLBACK deliveries
      SET status = ${''}, response_status_code = ${0}, error = ${''}, completed_at = ${''}, claimed_until = NULL
      WHERE id = ${0} AND +claimed_by = ${''} AND ${IS_CLAIMED}`.compile(database.db),
  );
  const count = database.prepare(
    sql`
      UPDATE OR ROLLBACK delivery_buckets
      SET pending = pending - ${0}, success = success + ${0}, failed = failed + ${0}
      WHERE account_id = ${''} AND size = ${0} AND bucket = ${0}`.compile(database.db),
  );

  function countRange({ account_id, size, bucket, success, failed }: Range): void {
    count.run(success + failed, success, failed, account_id, size, bucket);
  }

  function countAll(ended: readonly Told[], size: number): void {
    let range: Range | undefined;
    for (const { delivery, end } of ended) {
      const { account_id, seq } = delivery;
      const bucket = Math.floor(seq / size);
      if (range?.account_id !== account_id || range.bucket !== bucket) {
        if (range) countRange(range);
        range = { account_id, size, bucket, success: 0, failed: 0 };
      }
      range[end.status] += 1;
    }
    if (range) countRange(range);
  }

  return (all) => {
    const ended = all.filter(({ delivery, end }) => {
      const { status, response_status_code, error, completed_at } = end;
      const { id, claim } = delivery;
      return endOne.run(status, response_status_code, error, completed_at, id, claim.owner) === 1;
    });
    for (const size of SIZES) countAll(ended, size);
    return ended;
  };
}
