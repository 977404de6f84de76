import { createHmac } from 'node:crypto';
import type { Post } from '../../../src/webhooks/index.js';
import type { Chance } from '../kernel/chance.js';
import type { Journal } from '../kernel/journal.js';
import type { Schedule } from '../kernel/schedule.js';
import { GONE, type PlannedOutage } from '../plan.js';
import { buildSocketError, type Owner } from './network.js';

/** One received message. */
export type Message = {
  event_id: string;
  event_type: string;
  subject: string;
  at_ms: number;
  is_taken: boolean;
};

export type Receiver = {
  url: string;
  /** The secret it checks signatures with. */
  secret: string;
  messages: Message[];
  /** The machine that was told it is gone, and when; undefined while it is not. */
  gone: { owner: Owner; at_ms: number } | undefined;
  /** When it was set again after it said so: earlier events need not have been sent. */
  on_since_ms: number | undefined;
};

export type Receivers = {
  add(url: string): Receiver;
  /** The connection of one computer to all of them. */
  openPost(owner: Owner): Post;
  list(): readonly Receiver[];
  /** From now on all accept every message. */
  calm(): void;
  /** Problems of received messages: a signature, a time, a body. */
  faults: string[];
  countOutages(): number;
};

const TRIP_MS = { least: 5, most: 400 };
/** Before or after the deadline. */
const SLOW_MS = 900;
/** For receivers whose answer does not come, or comes too late. */
const TAKEN: ReadonlySet<PlannedOutage['kind']> = new Set(['lost', 'silent', 'slow']);
/** Deliveries claimed before are still sent for this long. */
const UNDER_WAY_MS = 60_000;
/** Verifies it as the documentation tells receivers to. */
const TOLERANCE_S = 300;

export function createReceivers(
  outages: readonly PlannedOutage[],
  {
    schedule,
    chance,
    journal,
    start_ms,
    furthest_skew_ms,
  }: {
    schedule: Schedule;
    chance: Chance;
    journal: Journal;
    start_ms: number;
    furthest_skew_ms: number;
  },
): Receivers {
  const receivers = new Map<string, Receiver>();
  const faults: string[] = [];
  let isCalm = false;
  let struck = 0;

  const findOutage = (): PlannedOutage | undefined => {
    const passed_ms = schedule.now() - start_ms;
    if (isCalm) return undefined;
    return outages.find(({ at_ms, lasts_ms }) => at_ms <= passed_ms && passed_ms < at_ms + lasts_ms);
  };

  return {
    faults,
    list: () => [...receivers.values()],
    countOutages: () => struck,
    calm() {
      isCalm = true;
    },
    add(url) {
      const receiver = receivers.get(url) ?? {
        url,
        secret: '',
        messages: [],
        gone: undefined,
        on_since_ms: undefined,
      };
      receivers.set(url, receiver);
      return receiver;
    },
    openPost:
      (owner) =>
      (url, { headers, body, deadline_ms }) =>
        new Promise((resolve, reject) => {
          if (!owner.isAlive()) return;
          const receiver = receivers.get(url);
          // Messages on their way when the receiver learns of a new secret were signed before it existed.
          const secrets = [receiver?.secret ?? ''];
          const outage = findOutage();
          if (outage) struck += 1;
          const trip_ms = chance.between(TRIP_MS.least, TRIP_MS.most);
          journal.note(
            owner.name,
            '→ webhook',
            `${headers['webhook-id']}${outage ? ` !${outage.kind}` : ''}`,
          );
          const cancel = schedule.after(
            deadline_ms,
            () => reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
            owner,
          );
          const later = (delay_ms: number, run: () => void): void =>
            void schedule.after(
              delay_ms,
              () => {
                cancel();
                run();
              },
              owner,
            );
          if (!receiver || outage?.kind === 'refused') {
            later(trip_ms, () => reject(buildSocketError('ECONNREFUSED')));
            return;
          }
          schedule.after(trip_ms, () => {
            const { gone } = receiver;
            if (gone?.owner.isAlive() === true && schedule.now() > gone.at_ms + UNDER_WAY_MS)
              faults.push(`${headers['webhook-id']}: sent to one that has said that it is gone`);
            const isTaken = outage === undefined || TAKEN.has(outage.kind);
            check(receiver, headers, body, { is_taken: isTaken, secrets: [...secrets, receiver.secret] });
            switch (outage?.kind) {
              case undefined:
                return later(trip_ms, () => resolve({ status: 200, headers: {} }));
              case 'lost':
                return later(trip_ms, () => reject(buildSocketError('ECONNRESET')));
              case 'silent':
                return;
              case 'slow':
                return later(deadline_ms - 2 * trip_ms + chance.between(-SLOW_MS, SLOW_MS), () =>
                  resolve({ status: 200, headers: {} }),
                );
              default:
                return later(trip_ms, () => {
                  if (outage?.status === GONE) {
                    receiver.gone ??= { owner, at_ms: schedule.now() };
                    receiver.on_since_ms ??= 0;
                  }
                  resolve({ status: outage?.status ?? 500, headers: outage?.headers ?? {} });
                });
            }
          });
        }),
  };

  function check(
    receiver: Receiver,
    headers: Readonly<Record<string, string>>,
    body: string,
    { is_taken, secrets }: { is_taken: boolean; secrets: readonly string[] },
  ): void {
    const event_id = headers['webhook-id'] ?? '';
    const timestamp = headers['webhook-timestamp'] ?? '';
    const late_s = Math.abs(schedule.now() / 1000 - Number(timestamp));
    if (!(late_s <= TOLERANCE_S + furthest_skew_ms / 1000))
      faults.push(`${event_id}: its time is ${late_s} s off`);
    const wanted = new Set(
      secrets.map((secret) =>
        createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
          .update(`${event_id}.${timestamp}.${body}`)
          .digest('base64'),
      ),
    );
    const given = (headers['webhook-signature'] ?? '').split(' ').map((one) => one.replace(/^v1,/, ''));
    if (!given.some((one) => wanted.has(one))) faults.push(`${event_id}: no signature of ours`);
    const event = JSON.parse(body) as EventBody;
    if (event.id !== event_id) faults.push(`${event_id}: the body says ${event.id}`);
    receiver.messages.push({
      event_id,
      event_type: event.type,
      subject: `${event.data.shop.shop_id}:${event.data.order.receipt_id}`,
      at_ms: schedule.now(),
      is_taken,
    });
    journal.note('receiver', `${event.type} ${event_id}`, is_taken ? 'taken' : 'not taken');
  }
}

type EventBody = {
  id: string;
  type: string;
  data: { shop: { shop_id: string }; order: { receipt_id: number } };
};
