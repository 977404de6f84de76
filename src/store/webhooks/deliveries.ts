import { sql, type SqlBool, type Transaction } from 'kysely';
import type { Cancellation } from '../../core/ports/index.js';
import { RELEASED } from '../engine/claims.js';
import type { Tables } from '../schema.js';
import { adjustTotals } from './totals.js';

/*
 * Indexes of pending deliveries are only used if their conditions are in the text of the query, so `pending` is not a
 * parameter here. Writes to an account's deliveries are serialized: code that adds or ends some locks the row of the
 * account's endpoint first (see lockEndpoint).
 */

/** Pending, and no process has begun to send it. */
export const IS_UNCLAIMED = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.claimed_by IS NULL`;
/** Pending, and a process is sending it. */
export const IS_CLAIMED = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.claimed_by IS NOT NULL`;

type NewDelivery = {
  account_id: string;
  event_id: string;
  event_type: string;
  subject: string | null;
  url: string;
  step: number | null;
  created_at: string;
  due_at: string | null;
};

/**
 * Inserts a delivery that no process has claimed, and returns its id. Its attempt is one more than the event's highest so
 * far.
 */
export async function insertDelivery(trx: Transaction<Tables>, delivery: NewDelivery): Promise<number> {
  const { account_id, event_id } = delivery;
  const { id } = await trx
    .insertInto('deliveries')
    .values((eb) => ({
      ...delivery,
      ...RELEASED,
      fence: 0,
      attempt: eb
        .selectFrom('deliveries')
        .select((of) => of(of.fn.coalesce(of.fn.max('attempt'), of.lit(0)), '+', 1).as('attempt'))
        .where('account_id', '=', account_id)
        .where('event_id', '=', event_id),
      status: 'pending',
      response_status_code: null,
      error: null,
      completed_at: null,
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  await adjustTotals(trx, account_id, { pending: 1 });
  return id;
}

/** Ends an account's pending deliveries that are not being sent. Returns the number. */
export async function cancelPending(
  trx: Transaction<Tables>,
  account_id: string,
  error: Cancellation,
  completed_at: string,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ status: 'failed', error, completed_at })
    .where('account_id', '=', account_id)
    .where(IS_UNCLAIMED)
    .executeTakeFirstOrThrow();
  const cancelled = Number(numUpdatedRows);
  await adjustTotals(trx, account_id, { pending: -cancelled, failed: cancelled });
  return cancelled;
}

/** All deliveries of an event; there are few. */
export function listOfEvent(trx: Transaction<Tables>, account_id: string, event_id: string) {
  return trx
    .selectFrom('deliveries')
    .select(['id', 'status', 'claimed_by'])
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .execute();
}

/** A delivered event needs no further attempts: cancels those that are not being sent. */
export async function cancelEvent(
  trx: Transaction<Tables>,
  account_id: string,
  event_id: string,
  completed_at: string,
): Promise<void> {
  const others = await listOfEvent(trx, account_id, event_id);
  const ids = others.filter(({ status, claimed_by }) => status === 'pending' && claimed_by === null);
  if (ids.length === 0) return;
  const error: Cancellation = 'cancelled_delivered';
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ status: 'failed', error, completed_at })
    .where(
      'id',
      'in',
      ids.map(({ id }) => id),
    )
    .where(IS_UNCLAIMED)
    .executeTakeFirstOrThrow();
  const cancelled = Number(numUpdatedRows);
  await adjustTotals(trx, account_id, { pending: -cancelled, failed: cancelled });
}
