import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { RetentionStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Tables } from './schema.js';

/** What is old is found by an index or among few, and removed by its key. */
export function createDeliveryRetention(
  database: Database,
): Pick<RetentionStore, 'sweepDeliveries' | 'sweepEvents'> {
  const remove = (statement: RawBuilder<unknown>) => database.write((trx) => countChanged(trx, statement));
  return {
    sweepDeliveries: (created_before, limit) =>
      database.write(async (trx) => {
        let swept = 0;
        for (const account_id of await listOldAccounts(trx, created_before)) {
          if (swept < limit) swept += await sweepOldest(trx, account_id, created_before, limit - swept);
        }
        return swept;
      }),
    sweepEvents: (created_before, limit) =>
      remove(sql`
        DELETE FROM events WHERE rowid IN (
          SELECT rowid FROM events
          WHERE payload IS NULL AND created_at < ${created_before} AND NOT EXISTS (
            SELECT 1 FROM deliveries
            WHERE deliveries.account_id = events.account_id AND deliveries.event_id = events.event_id
          )
          LIMIT ${limit}
        )`),
  };
}

async function countChanged(trx: Transaction<Tables>, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows = 0n } = await statement.execute(trx);
  return Number(numAffectedRows);
}

/** Accounts whose oldest delivery is older. */
async function listOldAccounts(trx: Transaction<Tables>, created_before: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    SELECT account_id FROM accounts
    WHERE (
      SELECT created_at FROM deliveries WHERE deliveries.account_id = accounts.account_id ORDER BY seq LIMIT 1
    ) < ${created_before}`.execute(trx);
  return rows.map(({ account_id }) => account_id);
}

/** From the oldest on without a gap: pages and counts need a `seq` that has none. */
async function sweepOldest(
  trx: Transaction<Tables>,
  account_id: string,
  created_before: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ id: number; is_over: 0 | 1 }>`
    SELECT id, created_at < ${created_before} AND NOT EXISTS (
      SELECT 1 FROM deliveries AS other
      WHERE other.account_id = deliveries.account_id AND other.event_id = deliveries.event_id
        AND +other.status = 'pending'
    ) AS is_over
    FROM deliveries WHERE account_id = ${account_id} ORDER BY seq LIMIT ${limit}`.execute(trx);
  const kept_from = rows.findIndex(({ is_over }) => is_over === 0);
  const ids = (kept_from === -1 ? rows : rows.slice(0, kept_from)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await sql`
    DELETE FROM deliveries WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.execute(trx);
  await sql`
    DELETE FROM delivery_buckets
    WHERE account_id = ${account_id} AND (bucket + 1) * size <= coalesce(
      (SELECT min(seq) FROM deliveries WHERE account_id = ${account_id}), 9e15
    )`.execute(trx);
  return ids.length;
}
