import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type {
  ClaimedDelivery,
  Consequence,
  DeliveryEnd,
  EndpointState,
  WebhookStore,
} from '../../core/ports/index.js';
import { RELEASED } from '../engine/claims.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { cancelEvent, cancelPending, insertDelivery, IS_CLAIMED, listOfEvent } from './deliveries.js';
import { pickState, toHealthColumns, toState, type EndpointRow } from './endpoint_columns.js';
import { lockEndpoint, MAX_DECISIONS, saveHealth } from './endpoints.js';
import { isBehind, releaseSubject } from './subjects.js';
import { adjustTotals } from './totals.js';

/** Records how a delivery ended, and the consequence. The first outcome counts: a delivery that has ended stays unchanged. */
export function createDeliveryEndRepository(engine: Engine<Tables>): Pick<WebhookStore, 'endDelivery'> {
  return {
    async endDelivery(delivery, end, decide) {
      // It has usually not changed since the delivery was claimed.
      let known: EndpointState | undefined = pickState(delivery.endpoint);
      for (let decisions = 0; decisions < MAX_DECISIONS; decisions += 1) {
        const outcome: Outcome = { delivery, end, known, consequence: known && decide(known) };
        const ended: Ended = await engine.write(async (trx) => endAs(engine, trx, outcome));
        if (typeof ended === 'boolean') return ended;
        known = ended.changed;
      }
      throw new Error('the webhook destination was changed by others again and again');
    },
  };
}

type Outcome = {
  delivery: ClaimedDelivery;
  end: DeliveryEnd;
  /** The endpoint on which the consequence was decided. */
  known: EndpointState | undefined;
  consequence: Consequence | undefined;
};

/** Whether it was ended. Otherwise nothing has happened: it is no longer held, or the endpoint has `changed`. */
type Ended = boolean | { changed: EndpointState | undefined };

async function endAs(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  { delivery, end, known, consequence }: Outcome,
): Promise<Ended> {
  const { account_id, event_id } = delivery;
  const now = await engine.now(trx);
  const row = await lockEndpoint(engine, trx, account_id);
  const state = row && toState(row);
  if (!isDeepStrictEqual(state, known)) return { changed: state };
  if (!(await endClaimed(trx, delivery, end))) return false;
  // The success of a manual delivery cancels the planned delivery of the event; a success on the schedule was itself the
  // planned one.
  if (end.status === 'success' && delivery.step === null) {
    await cancelEvent(trx, account_id, event_id, now);
  }
  if (row && consequence) await follow(trx, row, consequence, delivery, now);
  await releaseSubject(trx, delivery, now);
  return true;
}

/** False if that claim no longer holds it. */
async function endClaimed(
  trx: Transaction<Tables>,
  { account_id, id, fence }: ClaimedDelivery,
  end: DeliveryEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set({ ...end, ...RELEASED })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where(IS_CLAIMED)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) === 0) return false;
  await adjustTotals(trx, account_id, { pending: -1, [end.status]: 1 });
  return true;
}

/** Saves the consequence of an outcome. */
async function follow(
  trx: Transaction<Tables>,
  endpoint: EndpointRow,
  { health, next }: Consequence,
  delivery: ClaimedDelivery,
  now: string,
): Promise<void> {
  const { account_id } = endpoint;
  const before = toHealthColumns(toState(endpoint));
  if (!isDeepStrictEqual(toHealthColumns(health), before)) await saveHealth(trx, account_id, health);
  if (!health.is_enabled) {
    if (endpoint.is_enabled === 1) {
      await cancelPending(trx, account_id, 'cancelled_endpoint_disabled', now);
    }
    return;
  }
  if (!next) return;
  // A delivery that was sent manually before it was due waits for its time again.
  const due_at = (await isBehind(trx, delivery)) ? null : shiftTime(now, next.wait_ms);
  await insertNext(trx, endpoint, delivery, { step: next.step, due_at, created_at: now });
}

/** A delivery, with facts of its event. */
export type EventDelivery = Pick<
  ClaimedDelivery,
  'id' | 'account_id' | 'event_id' | 'event_type' | 'subject'
>;

/**
 * The next attempt, unless another one has succeeded in the meantime, or the body was destroyed with the destination that it
 * was for.
 */
export async function insertNext(
  trx: Transaction<Tables>,
  endpoint: EndpointRow,
  { account_id, event_id, event_type, subject }: EventDelivery,
  next: { step: number; due_at: string | null; created_at: string },
): Promise<void> {
  const others = await listOfEvent(trx, account_id, event_id);
  if (others.some(({ status }) => status === 'success')) return;
  const event = await trx
    .selectFrom('events')
    .select('event_id')
    .where('account_id', '=', account_id)
    .where('event_id', '=', event_id)
    .where('sealed_payload', 'is not', null)
    .executeTakeFirst();
  if (!event) return;
  await insertDelivery(trx, { account_id, event_id, event_type, subject, url: endpoint.url, ...next });
}
