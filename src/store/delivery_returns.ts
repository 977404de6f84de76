import { sql, type Transaction } from 'kysely';
import type { Cancellation, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { cancelPending, IS_CLAIMED, releaseSubjects } from './deliveries.js';
import type { EventDelivery } from './delivery_ends.js';
import type { Tables } from './schema.js';

/** Giving back what was claimed and not sent. What would have been cancelled meanwhile, had it not been claimed, is cancelled now. */
export function createDeliveryReturns(database: Database): Pick<WebhookStore, 'giveBack'> {
  return {
    async giveBack(deliveries, now) {
      const told = JSON.stringify(deliveries.map(({ id, claim }) => ({ id, owner: claim.owner })));
      await database.write(async (trx) => {
        const { rows } = await sql<EventDelivery>`
          UPDATE deliveries SET claimed_by = NULL, claimed_until = NULL FROM json_each(${told}) AS told
          WHERE deliveries.id = told.value ->> 'id' AND +deliveries.claimed_by = told.value ->> 'owner'
            AND ${IS_CLAIMED}
          RETURNING id, account_id, event_id, event_type, subject`.execute(trx);
        await cancelDelivered(trx, rows, now);
        await releaseSubjects(trx, rows, now);
        for (const account_id of new Set(rows.map((row) => row.account_id))) {
          await cancelWithoutEndpoint(trx, account_id, now);
        }
      });
    },
  };
}

async function cancelDelivered(
  trx: Transaction<Tables>,
  given_back: readonly EventDelivery[],
  completed_at: string,
): Promise<void> {
  const error: Cancellation = 'cancelled_delivered';
  await sql`
    UPDATE deliveries SET status = 'failed', error = ${error}, completed_at = ${completed_at}
    WHERE id IN (
      SELECT told.value ->> 'id' FROM json_each(${JSON.stringify(given_back)}) AS told
      WHERE EXISTS (
        SELECT 1 FROM deliveries AS other
        WHERE other.account_id = told.value ->> 'account_id' AND other.event_id = told.value ->> 'event_id'
          AND +other.status = 'success'
      )
    )`.execute(trx);
}

async function cancelWithoutEndpoint(
  trx: Transaction<Tables>,
  account_id: string,
  now: string,
): Promise<void> {
  const endpoint = await trx
    .selectFrom('webhook_endpoints')
    .select('is_enabled')
    .where('account_id', '=', account_id)
    .executeTakeFirst();
  if (endpoint?.is_enabled === 1) return;
  const error = endpoint ? 'cancelled_endpoint_disabled' : 'cancelled_endpoint_deleted';
  await cancelPending(trx, account_id, error, now);
}
