import type { DeliveryOutcome } from '../../../schemas/delivery.js';
import type { Ports } from '../core.js';
import type { Endpoints } from '../endpoints.js';
import type { Claim, ClaimedDelivery, Consequence, EndpointState, SendOutcome } from '../ports/index.js';
import type { Settings } from '../settings.js';
import { withReason } from './failure_words.js';
import { judge } from './health.js';
import { planNext } from './schedule.js';

/** A send may take 15 s, and recording it some more; after this others may take it that we are gone. */
const CLAIM_MS = 45_000;
/** A computer that slept between claiming and sending sends no more. */
const FRESH_MS = 15_000;

/** The error of a delivery whose process ended between sending and recording: its receiver may have got it, or not. */
export const INTERRUPTED = 'interrupted';

/** Deliveries on their way out: taken, signed, sent and recorded. At least once, never at the same time twice. */
export type Outbox = {
  /** When the first delivery of each account is due. */
  listDueAccounts(): Promise<{ account_id: string; due_at: string }[]>;
  /** Takes what is due; who takes it has to send it. */
  claimDue(account_id: string, limit: number): Promise<ClaimedDelivery[]>;
  /** Takes one now, whenever it is due; undefined when that cannot be. */
  claimOne(account_id: string, delivery_id: number): Promise<ClaimedDelivery | undefined>;
  /** A further delivery of an event, to be sent now, that starts no schedule; undefined when there is nothing to send, or nowhere. */
  open(account_id: string, event_id: string): Promise<ClaimedDelivery | undefined>;
  /** @param onAnswered called when it is known whether it arrived, which is recorded a moment later */
  send(delivery: ClaimedDelivery, onAnswered?: (is_success: boolean) => void): Promise<DeliveryOutcome>;
  /** What was claimed, has not been sent, and is to wait for another time. Of one account. */
  giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void>;
  /** Tells the truth about deliveries whose process is gone, and sends their events again. */
  endAbandoned(): Promise<void>;
  /** Whoever sends wants to know at once that there is something new. */
  onNew(listener: () => void): void;
  tellNew(): void;
};

export function createOutbox(
  ports: Pick<Ports, 'store' | 'webhook_sender' | 'clock' | 'log' | 'reachPoint'>,
  endpoints: Endpoints,
  { process_id }: Pick<Settings, 'process_id'>,
): Outbox {
  const { store, webhook_sender, clock, log } = ports;
  const { webhooks } = store;
  const listeners: (() => void)[] = [];
  let on_way = 0;

  const buildClaim = (): Claim => {
    const now = clock.now();
    return {
      owner: process_id,
      now: now.toISOString(),
      until: new Date(now.getTime() + CLAIM_MS).toISOString(),
    };
  };

  async function sendSigned({ claim, endpoint, event_id, payload }: ClaimedDelivery): Promise<SendOutcome> {
    if (clock.now().getTime() - Date.parse(claim.now) > FRESH_MS) {
      return { is_success: false, response_status_code: null, error: INTERRUPTED };
    }
    const secrets = endpoints.listSecrets(endpoint);
    return webhook_sender.send({ url: endpoint.url, event_id, body: payload, secrets });
  }

  function decide(delivery: ClaimedDelivery, sent: SendOutcome, endpoint: EndpointState): Consequence {
    const now = clock.now();
    const { event_id, step } = delivery;
    // What another URL answered says nothing about the one that is set now, and our own sleep nothing about either.
    const is_its_word = endpoint.url === delivery.endpoint.url && sent.error !== INTERRUPTED;
    const health = is_its_word ? judge(endpoint, sent, { is_by_hand: step === null, now }) : endpoint;
    if (health.switch_off_reason !== endpoint.switch_off_reason && !health.is_enabled) {
      const { account_id } = endpoint;
      log.warn('webhook destination switched off', { account_id, reason: health.switch_off_reason });
    }
    if (sent.is_success || step === null) return { health, next: null };
    if (sent.error === INTERRUPTED) return { health, next: { step, due_at: now.toISOString() } };
    return { health, next: planNext(event_id, step, now, sent.retry_after_ms) };
  }

  return {
    listDueAccounts: () => webhooks.listDueAccounts(),
    async claimDue(account_id, limit) {
      ports.reachPoint?.('delivery.before_claim');
      const claimed = await webhooks.claimDue(account_id, buildClaim(), limit);
      if (claimed.length > 0) ports.reachPoint?.('delivery.claimed');
      return claimed;
    },
    claimOne: (account_id, delivery_id) => webhooks.claimDelivery(account_id, delivery_id, buildClaim()),
    open: (account_id, event_id) => webhooks.createClaimed(account_id, event_id, buildClaim()),
    giveBack: (deliveries) => webhooks.giveBack(deliveries, clock.now().toISOString()),
    async send(delivery, onAnswered) {
      let sent: SendOutcome;
      on_way += 1;
      try {
        sent = await sendSigned(delivery);
      } finally {
        on_way -= 1;
      }
      ports.reachPoint?.('delivery.sent');
      const { is_success, response_status_code, error } = sent;
      onAnswered?.(is_success);
      const end = {
        status: is_success ? ('success' as const) : ('failed' as const),
        response_status_code,
        error,
        completed_at: clock.now().toISOString(),
      };
      const recorded = webhooks.endDelivery(delivery, end, (endpoint) => decide(delivery, sent, endpoint));
      if (on_way === 0) webhooks.recordSoon();
      const is_recorded = await recorded;
      ports.reachPoint?.('delivery.recorded');
      const { id } = delivery;
      if (!is_recorded) log.warn('delivery took so long that it was given up meanwhile', { delivery_id: id });
      return withReason({ success: is_success, response_status_code, error, delivery_id: id });
    },
    async endAbandoned() {
      const count = await webhooks.endAbandoned(clock.now().toISOString(), INTERRUPTED);
      if (count > 0) log.info('deliveries of an ended process are sent again', { count });
    },
    onNew(listener) {
      listeners.push(listener);
    },
    tellNew() {
      for (const tell of listeners) tell();
    },
  };
}
