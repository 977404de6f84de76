import type { Transaction } from 'kysely';
import type { Cancellation, DeliveryEnd, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { cancelPending, findFirstAttempt, insertDelivery, IS_CLAIMED, listOfEvent } from './deliveries.js';
import { findEndpoint, saveHealth } from './endpoints.js';
import type { Presence } from './presence.js';
import type { Tables } from './schema.js';
import type { Secrets } from './secrets.js';

type EndStore = Pick<WebhookStore, 'endDelivery' | 'endAbandoned'>;

/** Telling how deliveries ended, and what follows. The first outcome stands: a delivery that has ended is left as it is. */
export function createDeliveryEnds(database: Database, secrets: Secrets, presence: Presence): EndStore {
  return {
    endDelivery: ({ account_id, id, event_id, claim }, end, decide) =>
      database.write(async (trx) => {
        const ended = await endClaimed(trx, id, claim.owner, end);
        if (!ended) return false;
        if (end.status === 'success') {
          await cancelEvent(trx, account_id, event_id, end.completed_at);
        }
        const endpoint = await findEndpoint(trx, secrets, account_id);
        if (!endpoint) return true;
        const { health, next } = decide(endpoint);
        await saveHealth(trx, account_id, health);
        if (endpoint.is_enabled && !health.is_enabled) {
          await cancelPending(trx, account_id, 'cancelled_endpoint_disabled', end.completed_at);
        }
        if (next) await insertNext(trx, ended, end.completed_at, next);
        return true;
      }),

    async endAbandoned(now, error) {
      const owners = await database.db
        .selectFrom('deliveries')
        .select(({ fn }) => ['claimed_by', fn.min('claimed_until').as('claimed_until')])
        .where(IS_CLAIMED)
        .groupBy('claimed_by')
        .execute();
      const gone = owners.flatMap(({ claimed_by }) =>
        claimed_by === null || presence.isPresent(claimed_by) ? [] : [claimed_by],
      );
      if (gone.length === 0 && owners.every(({ claimed_until }) => (claimed_until ?? '') > now)) return 0;
      return database.write(async (trx) => {
        const abandoned = await trx
          .selectFrom('deliveries')
          .select(['id', 'step', 'claimed_by'])
          .where(IS_CLAIMED)
          .where((eb) => eb.or([eb('claimed_until', '<=', now), eb('claimed_by', 'in', gone)]))
          .execute();
        for (const { id, step, claimed_by } of abandoned.sort((a, b) => a.id - b.id)) {
          const end = { status: 'failed', response_status_code: null, error, completed_at: now } as const;
          const ended = await endClaimed(trx, id, claimed_by, end);
          if (ended && step !== null) await insertNext(trx, ended, now, { step, due_at: now });
        }
        return abandoned.length;
      });
    },
  };
}

type Ended = { account_id: string; event_id: string; event_type: string; subject: string | null };

/** Undefined when it has ended, or is another's. Lets the event of its subject go that waits for it. */
async function endClaimed(
  trx: Transaction<Tables>,
  id: number,
  owner: string | null,
  end: DeliveryEnd,
): Promise<Ended | undefined> {
  const ended = await trx
    .updateTable('deliveries')
    .set(end)
    .where('id', '=', id)
    .where('claimed_by', '=', owner)
    .where(IS_CLAIMED)
    .returning(['account_id', 'event_id', 'event_type', 'subject'])
    .executeTakeFirst();
  if (!ended || ended.subject === null) return ended;
  const next = await findFirstAttempt(trx, ended.account_id, ended.subject);
  if (next?.due_at === null && next.claimed_by === null) {
    await trx.updateTable('deliveries').set({ due_at: end.completed_at }).where('id', '=', next.id).execute();
  }
  return ended;
}

/** The next try, unless there is nobody to send to any more, or another try has succeeded meanwhile. */
async function insertNext(
  trx: Transaction<Tables>,
  ended: Ended,
  created_at: string,
  next: { step: number; due_at: string },
): Promise<void> {
  const endpoint = await trx
    .selectFrom('webhook_endpoints')
    .select('url')
    .where('account_id', '=', ended.account_id)
    .where('is_enabled', '=', 1)
    .executeTakeFirst();
  if (!endpoint) return;
  const others = await listOfEvent(trx, ended.account_id, ended.event_id);
  if (others.some(({ status }) => status === 'success')) return;
  await insertDelivery(trx, { ...ended, ...next, url: endpoint.url, created_at });
}

/** An event that has arrived needs no further tries. */
async function cancelEvent(
  trx: Transaction<Tables>,
  account_id: string,
  event_id: string,
  completed_at: string,
): Promise<void> {
  const error: Cancellation = 'cancelled_delivered';
  for (const { id, status, claimed_by } of await listOfEvent(trx, account_id, event_id)) {
    if (status !== 'pending' || claimed_by !== null) continue;
    await trx
      .updateTable('deliveries')
      .set({ status: 'failed', error, completed_at })
      .where('id', '=', id)
      .execute();
  }
}
