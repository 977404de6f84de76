import { sql, type Transaction } from 'kysely';
import type {
  Cancellation,
  ClaimedDelivery,
  Consequence,
  DeliveryEnd,
  EndpointRecord,
  WebhookStore,
} from '../core/ports/index.js';
import { createBatch } from './batch.js';
import type { Database } from './database.js';
import { cancelPending, insertDelivery, IS_CLAIMED, listOfEvent } from './deliveries.js';
import { findEndpoint, isSameHealth, saveHealth } from './endpoints.js';
import type { Presence } from './presence.js';
import type { Tables } from './schema.js';
import type { Secrets } from './secrets.js';

type EndStore = Pick<WebhookStore, 'endDelivery' | 'endAbandoned'>;

/** What arrived within this time is recorded together: more would be sent again after a crash, less would wait for the disk more often. */
const RECORD_MS = 20;

type Outcome = {
  delivery: ClaimedDelivery;
  end: DeliveryEnd;
  decide: (endpoint: EndpointRecord) => Consequence;
};

/** Telling how deliveries ended, and what follows. The first outcome stands: a delivery that has ended is left as it is. */
export function createDeliveryEnds(database: Database, secrets: Secrets, presence: Presence): EndStore {
  const endTogether = createBatch(
    (outcomes: readonly Outcome[]) => database.write((trx) => endAll(trx, secrets, outcomes)),
    RECORD_MS,
  );
  return {
    endDelivery: (delivery, end, decide) => endTogether({ delivery, end, decide }),

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
        const end = { status: 'failed', response_status_code: null, error, completed_at: now } as const;
        const ended = await endClaimed(
          trx,
          abandoned.map(({ id, claimed_by }) => ({ id, owner: claimed_by, end })),
        );
        await releaseSubjects(trx, [...ended.values()], now);
        for (const { id, step } of abandoned.sort((a, b) => a.id - b.id)) {
          const row = ended.get(id);
          if (row && step !== null) await insertNext(trx, row, now, { step, due_at: now });
        }
        return abandoned.length;
      });
    },
  };
}

/** A delivery, with what its event says. */
export type EventDelivery = {
  id: number;
  account_id: string;
  event_id: string;
  event_type: string;
  subject: string | null;
};

/** In the order in which they came, so that each meets the endpoint as the one before left it. False: it has ended, or is another's. */
async function endAll(
  trx: Transaction<Tables>,
  secrets: Secrets,
  outcomes: readonly Outcome[],
): Promise<Map<Outcome, boolean>> {
  const ends = outcomes.map(({ delivery: { id, claim }, end }) => ({ id, owner: claim.owner, end }));
  const ended = await endClaimed(trx, ends);
  const told = outcomes.map((outcome) => {
    const row = ended.get(outcome.delivery.id);
    // Of one that was told twice the first counts.
    ended.delete(outcome.delivery.id);
    return { outcome, row };
  });
  const arrived = told.flatMap(({ outcome, row }) => (row && outcome.end.status === 'success' ? [row] : []));
  const now = outcomes.at(-1)?.end.completed_at ?? '';
  await cancelEvents(trx, arrived, now);
  const endpoints = new Map<string, EndpointRecord | undefined>();
  for (const { outcome, row } of told) {
    if (!row) continue;
    const known = endpoints.has(row.account_id)
      ? endpoints.get(row.account_id)
      : await findEndpoint(trx, secrets, row.account_id);
    endpoints.set(row.account_id, known && (await follow(trx, known, outcome, row)));
  }
  const rows = told.flatMap(({ row }) => row ?? []);
  await releaseSubjects(trx, rows, now);
  return new Map(told.map(({ outcome, row }) => [outcome, row !== undefined]));
}

/** What an outcome means. Answers the endpoint as it is then. */
async function follow(
  trx: Transaction<Tables>,
  endpoint: EndpointRecord,
  { end, decide }: Outcome,
  ended: EventDelivery,
): Promise<EndpointRecord> {
  const { health, next } = decide(endpoint);
  const { account_id } = endpoint;
  const is_changed = !isSameHealth(health, endpoint);
  if (is_changed) await saveHealth(trx, account_id, health);
  if (endpoint.is_enabled && !health.is_enabled) {
    await cancelPending(trx, account_id, 'cancelled_endpoint_disabled', end.completed_at);
  }
  if (next) await insertNext(trx, ended, end.completed_at, next);
  return is_changed ? { ...endpoint, ...health } : endpoint;
}

/** By id: those that were held by that owner and had not ended. */
async function endClaimed(
  trx: Transaction<Tables>,
  ends: readonly { id: number; owner: string | null; end: DeliveryEnd }[],
): Promise<Map<number, EventDelivery>> {
  const told = JSON.stringify(ends.map(({ end, ...claim }) => ({ ...claim, ...end })));
  const { rows } = await sql<EventDelivery>`
    UPDATE deliveries
    SET status = told.value ->> 'status',
      response_status_code = told.value ->> 'response_status_code',
      error = told.value ->> 'error',
      completed_at = told.value ->> 'completed_at'
    FROM json_each(${told}) AS told
    WHERE deliveries.id = told.value ->> 'id' AND +deliveries.claimed_by = told.value ->> 'owner' AND ${IS_CLAIMED}
    RETURNING id, account_id, event_id, event_type, subject`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Lets the events go that waited for the first attempt of one before them of their subject. */
export async function releaseSubjects(
  trx: Transaction<Tables>,
  ended: readonly EventDelivery[],
  due_at: string,
): Promise<void> {
  const told = JSON.stringify(ended.filter(({ subject }) => subject !== null));
  await sql`
    UPDATE deliveries SET due_at = ${due_at}
    WHERE due_at IS NULL AND claimed_by IS NULL AND id IN (
      SELECT (
        SELECT min(first.id) FROM deliveries AS first
        WHERE first.account_id = told.value ->> 'account_id' AND first.subject = told.value ->> 'subject'
          AND first.status = 'pending' AND first.attempt = 1 AND first.subject IS NOT NULL
      ) FROM json_each(${told}) AS told
    )`.execute(trx);
}

/** The next try, unless there is nobody to send to any more, or another try has succeeded meanwhile. */
async function insertNext(
  trx: Transaction<Tables>,
  ended: EventDelivery,
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
  const { id: _past, ...event } = ended;
  await insertDelivery(trx, { ...event, ...next, url: endpoint.url, created_at });
}

/** Events that have arrived need no further tries. The pluses: an event has few deliveries, a status may have a million. */
async function cancelEvents(
  trx: Transaction<Tables>,
  arrived: readonly EventDelivery[],
  completed_at: string,
): Promise<void> {
  const error: Cancellation = 'cancelled_delivered';
  await sql`
    UPDATE deliveries SET status = 'failed', error = ${error}, completed_at = ${completed_at}
    FROM json_each(${JSON.stringify(arrived)}) AS told
    WHERE deliveries.account_id = told.value ->> 'account_id' AND deliveries.event_id = told.value ->> 'event_id'
      AND +deliveries.status = 'pending' AND +deliveries.claimed_by IS NULL`.execute(trx);
}
