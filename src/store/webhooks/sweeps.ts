import type { Transaction } from 'kysely';
import type { RetentionStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { lockEndpoint } from './endpoints.js';
import { adjustTotals } from './totals.js';

/** Deliveries whose time is over. */
export function createDeliverySweeps({ write }: Engine<Tables>): Pick<RetentionStore, 'sweepDeliveries'> {
  return {
    sweepDeliveries: (created_before, limit) =>
      write(async (trx) => {
        let swept = 0;
        for (const account_id of await listOldAccounts(trx, created_before)) {
          if (swept < limit) swept += await sweepOldest(trx, account_id, created_before, limit - swept);
        }
        return swept;
      }),
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
    .execute();
  return rows.map(({ account_id }) => account_id);
}

async function sweepOldest(
  trx: Transaction<Tables>,
  account_id: string,
  created_before: string,
  limit: number,
): Promise<number> {
  await lockEndpoint(trx, account_id);
  const rows = await trx
    .selectFrom('deliveries')
    .select(['id', 'status', 'event_id', 'created_at'])
    .where('account_id', '=', account_id)
    .orderBy('id')
    .limit(limit)
    .execute();
  const events = rows.map(({ event_id }) => event_id);
  const pending = await listPendingEvents(trx, account_id, events);
  const kept_from = rows.findIndex(
    ({ created_at, event_id }) => created_at >= created_before || pending.has(event_id),
  );
  const old = kept_from === -1 ? rows : rows.slice(0, kept_from);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await trx.deleteFrom('deliveries').where('id', 'in', ids).execute();
  const success = old.filter(({ status }) => status === 'success').length;
  await adjustTotals(trx, account_id, { success: -success, failed: success - old.length });
  return old.length;
}

/** Which of these events still have to be sent. */
async function listPendingEvents(
  trx: Transaction<Tables>,
  account_id: string,
  event_ids: readonly string[],
): Promise<Set<string>> {
  if (event_ids.length === 0) return new Set();
  const rows = await trx
    .selectFrom('deliveries')
    .select(['event_id', 'status'])
    .where('account_id', '=', account_id)
    .where('event_id', 'in', event_ids)
    .execute();
  return new Set(rows.flatMap(({ event_id, status }) => (status === 'pending' ? [event_id] : [])));
}
