import { sql, type ExpressionBuilder, type SqlBool, type Transaction } from 'kysely';
import type { RetentionStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { lockEndpoint } from './endpoints.js';
import { adjustTotals } from './totals.js';

/** Deletes old deliveries, each account's in a transaction of their own. */
export function createDeliverySweeps(engine: Engine<Tables>): Pick<RetentionStore, 'sweepDeliveries'> {
  const { read, write } = engine;
  return {
    async sweepDeliveries(age_ms, limit) {
      const created_before = await read(async (trx) => shiftTime(await engine.now(trx), -age_ms));
      let swept = 0;
      for (const account_id of await read((trx) => listOldAccounts(trx, created_before))) {
        if (swept === limit) break;
        swept += await write((trx) => sweepOldest(engine, trx, account_id, created_before, limit - swept));
      }
      return swept;
    },
  };
}

/** Accounts whose oldest delivery is older. */
async function listOldAccounts(trx: Transaction<Tables>, created_before: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('accounts')
    .select('account_id')
    .where(
      (eb) =>
        eb
          .selectFrom('deliveries')
          .select('created_at')
          .whereRef('deliveries.account_id', '=', 'accounts.account_id')
          .orderBy('id')
          .limit(1),
      '<',
      created_before,
    )
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}

async function sweepOldest(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  created_before: string,
  limit: number,
): Promise<number> {
  await lockEndpoint(engine, trx, account_id);
  const rows = await trx
    .selectFrom('deliveries')
    .select((eb) => ['id', 'status', 'created_at', isEventPending(eb).as('is_pending')])
    .where('account_id', '=', account_id)
    .orderBy('id')
    .limit(limit)
    .execute();
  const kept_from = rows.findIndex(
    ({ created_at, is_pending }) => created_at >= created_before || Boolean(is_pending),
  );
  const old = kept_from === -1 ? rows : rows.slice(0, kept_from);
  const last = old.at(-1);
  if (!last) return 0;
  // An account without an endpoint has no row to lock: another process counted the deliveries that it swept in the meantime.
  const deleted = await trx
    .deleteFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('id', '<=', last.id)
    .returning('status')
    .execute();
  const success = deleted.filter(({ status }) => status === 'success').length;
  await adjustTotals(trx, account_id, { success: -success, failed: success - deleted.length });
  return deleted.length;
}

/**
 * Whether the event of a delivery must still be sent. It has few deliveries: the CASE keeps the status out of the choice of
 * an index.
 */
function isEventPending(eb: ExpressionBuilder<Tables, 'deliveries'>) {
  return eb.exists(
    eb
      .selectFrom('deliveries as other')
      .select('other.id')
      .whereRef('other.account_id', '=', 'deliveries.account_id')
      .whereRef('other.event_id', '=', 'deliveries.event_id')
      .where(sql<SqlBool>`CASE other.status WHEN 'pending' THEN 1 ELSE 0 END = 1`),
  );
}
