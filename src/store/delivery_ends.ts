import { sql, type Transaction } from 'kysely';
import type {
  Cancellation,
  ClaimedDelivery,
  Consequence,
  DeliveryEnd,
  EndpointState,
  WebhookStore,
} from '../core/ports/index.js';
import { createBatch } from './batch.js';
import type { Database } from './database.js';
import { cancelPending, insertDelivery, IS_CLAIMED, listOfEvent, releaseSubjects } from './deliveries.js';
import { prepareEndClaimed } from './delivery_counts.js';
import { isSameHealth, prepareFindEndpoint, saveHealth, toState } from './endpoints.js';
import type { Presence } from './engine/sqlite/presence.js';
import type { Tables } from './schema.js';

type EndStore = Pick<WebhookStore, 'endDelivery' | 'recordSoon' | 'endAbandoned'>;

/** A write transaction that also records the ends that wait for one: it waits for the disk for both. */
export type WriteBeside = <T>(work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;

/** What arrived within this time is recorded together: more would be sent again after a crash, less would wait for the disk more often. */
const RECORD_MS = 20;
/** While so many arrive within it, it is longer. */
const RUSH = 64;
const RUSH_MS = 60;
/** When no more is on its way, it is shorter: what is claimed next is committed in the same go. */
const LAST_MS = 2;

type Outcome = {
  delivery: ClaimedDelivery;
  end: DeliveryEnd;
  decide: (endpoint: EndpointState) => Consequence;
};

/** Telling how deliveries ended, and what follows. The first outcome stands: a delivery that has ended is left as it is. */
export function createDeliveryEnds(
  database: Database,
  presence: Presence,
): EndStore & { writeBeside: WriteBeside } {
  const findEndpoint = prepareFindEndpoint(database);
  const endClaimed = prepareEndClaimed(database);

  /** In the order in which they came, so that each meets the endpoint as the one before left it. */
  async function endAll(trx: Transaction<Tables>, outcomes: readonly Outcome[]): Promise<boolean[]> {
    if (outcomes.length === 0) return [];
    const ended = endClaimed(outcomes);
    const now = outcomes.at(-1)?.end.completed_at ?? '';
    await cancelEvents(trx, ended, now);
    const endpoints = new Map<string, EndpointState | undefined>();
    for (const outcome of ended) {
      const { account_id } = outcome.delivery;
      if (!endpoints.has(account_id)) {
        const row = findEndpoint(account_id);
        endpoints.set(account_id, row && toState(row));
      }
      const known = endpoints.get(account_id);
      const consequence = known && outcome.decide(known);
      if (consequence && (consequence.next || !isSameHealth(consequence.health, known))) {
        endpoints.set(account_id, await follow(trx, known, consequence, outcome));
      }
    }
    await releaseSubjects(
      trx,
      ended.map(({ delivery }) => delivery),
      now,
    );
    let told = 0;
    return outcomes.map((outcome) => {
      const is_told = ended[told] === outcome;
      if (is_told) told += 1;
      return is_told;
    });
  }

  let is_rush = false;
  const ends = createBatch(
    (outcomes: readonly Outcome[]) => {
      is_rush = outcomes.length >= RUSH;
      return database.write((trx) => endAll(trx, outcomes));
    },
    (work) => setTimeout(work, is_rush ? RUSH_MS : RECORD_MS),
  );
  return {
    endDelivery: (delivery, end, decide) => ends.ask({ delivery, end, decide }),
    recordSoon: () => ends.hurry((work) => setTimeout(work, LAST_MS)),
    writeBeside: (work) =>
      ends.doBeside((outcomes) =>
        database.write(async (trx) => ({ results: await endAll(trx, outcomes), value: await work(trx) })),
      ),

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
          .select(['id', 'seq', 'account_id', 'event_id', 'event_type', 'subject', 'step', 'claimed_by'])
          .where(IS_CLAIMED)
          .where((eb) => eb.or([eb('claimed_until', '<=', now), eb('claimed_by', 'in', gone)]))
          .orderBy('id')
          .execute();
        const end = { status: 'failed' as const, response_status_code: null, error, completed_at: now };
        endClaimed(
          abandoned.map(({ claimed_by, ...delivery }) => ({
            delivery: { ...delivery, claim: { owner: claimed_by } },
            end,
          })),
        );
        for (const { step, ...delivery } of abandoned) {
          // In its old place among those of its subject: which of them is next is found below.
          const due_at = delivery.subject === null ? now : null;
          if (step !== null) await insertNext(trx, delivery, now, { step, due_at });
        }
        await releaseSubjects(trx, abandoned, now);
        return abandoned.length;
      });
    },
  };
}

/** A delivery, with what its event says. */
export type EventDelivery = Pick<
  ClaimedDelivery,
  'id' | 'account_id' | 'event_id' | 'event_type' | 'subject'
>;

/** Saves what an outcome means. Answers the endpoint as it is then. */
async function follow(
  trx: Transaction<Tables>,
  endpoint: EndpointState,
  { health, next }: Consequence,
  { delivery, end }: Pick<Outcome, 'delivery' | 'end'>,
): Promise<EndpointState> {
  const { account_id } = endpoint;
  if (!isSameHealth(health, endpoint)) await saveHealth(trx, account_id, health);
  if (endpoint.is_enabled && !health.is_enabled) {
    await cancelPending(trx, account_id, 'cancelled_endpoint_disabled', end.completed_at);
  }
  if (next) await insertNext(trx, delivery, end.completed_at, next);
  return { ...endpoint, ...health };
}

/** The next try, unless there is nobody to send to any more, or another try has succeeded meanwhile. */
async function insertNext(
  trx: Transaction<Tables>,
  ended: EventDelivery,
  created_at: string,
  next: { step: number; due_at: string | null },
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
  const { account_id, event_id, event_type, subject } = ended;
  const event = { account_id, event_id, event_type, subject };
  await insertDelivery(trx, { ...event, ...next, url: endpoint.url, created_at });
}

/**
 * Events that have arrived need no further tries. One that arrived on its schedule has none: there was no other to wait for. The
 * pluses: an event has few deliveries, a status may have a million.
 */
async function cancelEvents(
  trx: Transaction<Tables>,
  ended: readonly Outcome[],
  completed_at: string,
): Promise<void> {
  const arrived = ended.flatMap(({ delivery: { account_id, event_id, step }, end }) =>
    end.status === 'success' && step === null ? [{ account_id, event_id }] : [],
  );
  if (arrived.length === 0) return;
  const error: Cancellation = 'cancelled_delivered';
  await sql`
    UPDATE deliveries SET status = 'failed', error = ${error}, completed_at = ${completed_at}
    FROM json_each(${JSON.stringify(arrived)}) AS told
    WHERE deliveries.account_id = told.value ->> 'account_id' AND deliveries.event_id = told.value ->> 'event_id'
      AND +deliveries.status = 'pending' AND +deliveries.claimed_by IS NULL`.execute(trx);
}
