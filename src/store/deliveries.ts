import { sql, type SqlBool, type Transaction } from 'kysely';
import { deliveryDetail, type DeliveryStatus } from '../../schemas/delivery.js';
import type { Cancellation, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Tables } from './schema.js';

/*
 * Partial indexes are used only where their conditions stand in the text of the query, so `pending` is no parameter here. What
 * changes for each delivery is changed OR ROLLBACK: a failure ends its transaction in any case, and SQLite need not copy each page
 * to be able to undo the statement alone.
 */

/** Pending, and nobody has begun to send it. */
export const IS_UNCLAIMED = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.claimed_by IS NULL`;
/** Pending, and somebody is sending it. */
export const IS_CLAIMED = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.claimed_by IS NOT NULL`;
/** On the schedule of an event whose subject asks for order: until the last of them has ended, later events of the subject wait. */
const IS_IN_ORDER = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.step IS NOT NULL AND deliveries.subject IS NOT NULL`;

export type NewDelivery = {
  account_id: string;
  event_id: string;
  event_type: string;
  subject: string | null;
  url: string;
  step: number | null;
  created_at: string;
  due_at: string | null;
} & ({ claimed_by?: null; claimed_until?: null } | { claimed_by: string; claimed_until: string });

/** Its attempt is one more than the event's highest so far. */
export function insertDelivery(
  trx: Transaction<Tables>,
  delivery: NewDelivery,
): Promise<{ id: number; seq: number }> {
  const { account_id, event_id } = delivery;
  return trx
    .insertInto('deliveries')
    .values({
      claimed_by: null,
      claimed_until: null,
      ...delivery,
      seq: sql<number>`(SELECT coalesce(max(seq), 0) + 1 FROM deliveries WHERE account_id = ${account_id})`,
      attempt: sql<number>`(SELECT coalesce(max(attempt), 0) + 1 FROM deliveries WHERE account_id = ${account_id} AND event_id = ${event_id})`,
      status: 'pending',
      response_status_code: null,
      error: null,
      completed_at: null,
    })
    .returning(['id', 'seq'])
    .executeTakeFirstOrThrow();
}

/** Whether an event of the subject was neither delivered nor given up yet. */
export async function isSubjectHeld(
  trx: Transaction<Tables>,
  account_id: string,
  subject: string,
): Promise<boolean> {
  const holding = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .where('subject', '=', subject)
    .where(IS_IN_ORDER)
    .limit(1)
    .executeTakeFirst();
  return holding !== undefined;
}

/** An event of a subject, by the account and subject of one of its deliveries. */
type OfSubject = { account_id: string; subject: string | null };

/**
 * Lets the next event of each subject go, the one that was recorded first, where nothing of an earlier one is planned or being sent
 * any more. A try that follows one which ended must be there by then: it is what holds the others up.
 */
export async function releaseSubjects(
  trx: Transaction<Tables>,
  ended: readonly OfSubject[],
  due_at: string,
): Promise<void> {
  const subjects: Record<string, string[]> = {};
  for (const { account_id, subject } of ended) {
    if (subject !== null) (subjects[account_id] ??= []).push(subject);
  }
  await sql`
    UPDATE OR ROLLBACK deliveries SET due_at = ${due_at}
    WHERE due_at IS NULL AND claimed_by IS NULL AND id IN (
      SELECT (
        SELECT next.id FROM deliveries AS next
        WHERE next.account_id = of.key AND next.subject = told.value
          AND next.status = 'pending' AND next.step IS NOT NULL AND next.subject IS NOT NULL
        ORDER BY next.due_at IS NULL AND next.claimed_by IS NULL, (
          SELECT first.id FROM deliveries AS first
          WHERE first.account_id = next.account_id AND first.event_id = next.event_id AND first.attempt = 1
        ) LIMIT 1
      ) FROM json_each(${JSON.stringify(subjects)}) AS of, json_each(of.value) AS told
    )`.execute(trx);
}

/** Ends what an account has pending and is not being sent. Answers how many. */
export async function cancelPending(
  trx: Transaction<Tables>,
  account_id: string,
  error: Cancellation,
  completed_at: string,
): Promise<number> {
  const result = await trx
    .updateTable('deliveries')
    .set({ status: 'failed', error, completed_at })
    .where('account_id', '=', account_id)
    .where(IS_UNCLAIMED)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** All deliveries of an event. Looked at one by one: an event has few, and a status may have a million. */
export function listOfEvent(
  trx: Transaction<Tables>,
  account_id: string,
  event_id: string,
): Promise<{ id: number; status: DeliveryStatus; claimed_by: string | null }[]> {
  return trx
    .selectFrom('deliveries')
    .select(['id', 'status', 'claimed_by'])
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .execute();
}

export function createDeliveryTable(database: Database): Pick<WebhookStore, 'findDelivery'> {
  return {
    async findDelivery(account_id, id) {
      const row = await database.db
        .selectFrom('deliveries')
        .innerJoin('events', (join) =>
          join
            .onRef('events.account_id', '=', 'deliveries.account_id')
            .onRef('events.event_id', '=', 'deliveries.event_id'),
        )
        .select([
          'deliveries.id',
          'deliveries.event_type',
          'deliveries.status',
          'deliveries.response_status_code',
          'deliveries.created_at',
          'deliveries.attempt',
          'deliveries.error',
          'deliveries.event_id',
          'deliveries.url',
          'deliveries.due_at',
          'deliveries.completed_at',
          'events.payload',
        ])
        .where('deliveries.account_id', '=', account_id)
        .where('deliveries.id', '=', id)
        .executeTakeFirst();
      if (!row) return undefined;
      const payload =
        row.payload === null ? null : deliveryDetail.shape.payload.parse(JSON.parse(row.payload));
      return { ...row, payload };
    },
  };
}
