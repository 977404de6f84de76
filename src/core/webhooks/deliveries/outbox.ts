import type { DeliveryOutcome } from '../../../../schemas/delivery.js';
import type { Ports } from '../../ports/index.js';
import type { Endpoints } from '../endpoints.js';
import type { ClaimedDelivery, Consequence, EndpointState, SendOutcome } from '../../ports/index.js';
import { withReason } from './failure_words.js';
import { judge } from './health.js';
import { planNext } from './schedule.js';

/** Duration of a claim, in ms: a send takes up to 15 s, and recording it some more. */
const CLAIM_MS = 45_000;
/** A delivery that was claimed longer ago than this is no longer sent, as after the computer was asleep. */
const FRESH_MS = 15_000;

/**
 * The error of a delivery whose process ended between sending and recording: its receiver may or may not have received it.
 */
const INTERRUPTED = 'interrupted';

/** `claimed_at_ms`: by the clock of this process, and no later than the claim. */
export type HeldDelivery = ClaimedDelivery & { claimed_at_ms: number };

/** Sends deliveries: claims, signs, sends and records them. At least once, and never twice at the same time. */
export type Outbox = {
  /** Claims deliveries that are due; the process that claims one must send it. */
  claimDue(account_id: string, limit: number): Promise<HeldDelivery[]>;
  /** Claims one delivery before it is due; undefined if that is not possible. */
  claimOne(account_id: string, delivery_id: number): Promise<HeldDelivery | undefined>;
  /** Creates and claims a further delivery of an event, outside of the schedule; undefined without a payload or an endpoint that is on. */
  open(account_id: string, event_id: string): Promise<HeldDelivery | undefined>;
  send(delivery: HeldDelivery): Promise<DeliveryOutcome>;
  /** Ends deliveries whose process is gone as interrupted, and sends their events again. */
  endAbandoned(): Promise<void>;
  /** Registers a listener for new deliveries. */
  onNew(listener: () => void): void;
  notifyNew(): void;
};

export function createOutbox(
  ports: Pick<Ports, 'store' | 'webhook_sender' | 'clock' | 'log'>,
  endpoints: Endpoints,
): Outbox {
  const { store, webhook_sender, clock, log } = ports;
  const { webhooks } = store;
  const listeners: (() => void)[] = [];

  async function sendSigned(delivery: HeldDelivery): Promise<SendOutcome> {
    if (clock.now().getTime() - delivery.claimed_at_ms > FRESH_MS) {
      return { is_success: false, response_status_code: null, error: INTERRUPTED };
    }
    const { endpoint, event_id, payload } = delivery;
    const secrets = endpoints.listSecrets(endpoint);
    return webhook_sender.send({ url: endpoint.url, event_id, body: payload, secrets });
  }

  function decide(delivery: ClaimedDelivery, sent: SendOutcome, endpoint: EndpointState): Consequence {
    const { event_id, step } = delivery;
    // An answer of the former URL says nothing about the current one, and an interruption on our side says nothing about
    // either.
    const isItsWord = endpoint.url === delivery.endpoint.url && sent.error !== INTERRUPTED;
    const health = isItsWord
      ? judge(endpoint, sent, { is_by_hand: step === null, now: clock.now() })
      : endpoint;
    if (sent.is_success || step === null) return { health, next: null };
    if (sent.error === INTERRUPTED) return { health, next: { step, wait_ms: 0 } };
    return { health, next: planNext(event_id, step, sent.retry_after_ms) };
  }

  async function record(delivery: ClaimedDelivery, sent: SendOutcome): Promise<void> {
    const { account_id, id: delivery_id } = delivery;
    const { is_success, response_status_code, error } = sent;
    const completed_at = clock.now().toISOString();
    const status = is_success ? 'success' : 'failed';
    let switched_off: EndpointState['switch_off_reason'] = null;
    const isRecorded = await webhooks.endDelivery(
      delivery,
      { status, response_status_code, error, completed_at },
      (endpoint) => {
        const consequence = decide(delivery, sent, endpoint);
        const { is_enabled, switch_off_reason } = consequence.health;
        switched_off = endpoint.is_enabled && !is_enabled ? switch_off_reason : null;
        return consequence;
      },
    );
    if (!isRecorded) {
      log.warn('delivery took so long that it was given up meanwhile', { delivery_id });
    } else if (switched_off !== null) {
      log.warn('webhook destination switched off', { account_id, reason: switched_off });
    }
  }

  async function holdOne(
    claim: () => Promise<ClaimedDelivery | undefined>,
  ): Promise<HeldDelivery | undefined> {
    const claimed_at_ms = clock.now().getTime();
    const claimed = await claim();
    return claimed && { ...claimed, claimed_at_ms };
  }

  return {
    async claimDue(account_id, limit) {
      const claimed_at_ms = clock.now().getTime();
      const claimed = await webhooks.claimDue(account_id, CLAIM_MS, limit);
      return claimed.map((delivery) => ({ ...delivery, claimed_at_ms }));
    },
    claimOne: (account_id, delivery_id) =>
      holdOne(() => webhooks.claimDelivery(account_id, delivery_id, CLAIM_MS)),
    open: (account_id, event_id) => holdOne(() => webhooks.createClaimed(account_id, event_id, CLAIM_MS)),
    async send(delivery) {
      const sent = await sendSigned(delivery);
      await record(delivery, sent);
      const { is_success, response_status_code, error } = sent;
      return withReason({ success: is_success, response_status_code, error, delivery_id: delivery.id });
    },
    async endAbandoned() {
      const count = await webhooks.endAbandoned(INTERRUPTED);
      if (count > 0) log.info('deliveries of an ended process are sent again', { count });
    },
    onNew(listener) {
      listeners.push(listener);
    },
    notifyNew() {
      for (const notify of listeners) notify();
    },
  };
}
