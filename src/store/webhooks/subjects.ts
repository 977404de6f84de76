import { sql, type ExpressionBuilder, type SqlBool, type Transaction } from 'kysely';
import type { Tables } from '../schema.js';

/** Scheduled deliveries of events with a subject: until the last of them has ended, later events of the subject wait. */
const IS_IN_ORDER = sql<SqlBool>`deliveries.status = 'pending' AND deliveries.step IS NOT NULL AND deliveries.subject IS NOT NULL`;

/** Whether an event of the subject that was recorded before this one has neither been delivered nor given up yet. */
export async function isBehind(
  trx: Transaction<Tables>,
  { account_id, event_id, subject }: { account_id: string; event_id: string; subject: string | null },
): Promise<boolean> {
  if (subject === null) return false;
  const own = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .where('attempt', '=', 1)
    .executeTakeFirst();
  const earlier = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .where('subject', '=', subject)
    .where(IS_IN_ORDER)
    .$if(own !== undefined, (query) => query.where((eb) => eb(selectFirst(eb), '<', own?.id ?? 0)))
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

/** The first delivery of a delivery's event, whose id gives the order in which events were recorded. */
function selectFirst(eb: ExpressionBuilder<Tables, 'deliveries'>) {
  return eb
    .selectFrom('deliveries as first')
    .select('first.id')
    .whereRef('first.account_id', '=', 'deliveries.account_id')
    .whereRef('first.event_id', '=', 'deliveries.event_id')
    .where('first.attempt', '=', 1);
}

/**
 * Releases the next event of a subject, the one that was recorded first, unless a delivery of an earlier event is still
 * planned or being sent. If a delivery ended and is retried, insert the retry before this call, since the retry makes the
 * others wait.
 */
export async function releaseSubject(
  trx: Transaction<Tables>,
  { account_id, subject }: { account_id: string; subject: string | null },
  due_at: string,
): Promise<void> {
  if (subject === null) return;
  const planned = await trx
    .selectFrom('deliveries')
    .select((eb) => ['id', 'due_at', 'claimed_by', selectFirst(eb).as('first_id')])
    .where('account_id', '=', account_id)
    .where('subject', '=', subject)
    .where(IS_IN_ORDER)
    .orderBy('first_id')
    .execute();
  const [next] = planned;
  if (!next || planned.some((one) => one.due_at !== null || one.claimed_by !== null)) return;
  await trx.updateTable('deliveries').set({ due_at }).where('id', '=', next.id).execute();
}
