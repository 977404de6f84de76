import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../../../schemas/delivery.js';
import type { EventType, SwitchOffReason } from '../../../../schemas/endpoint.js';
import type { Page } from '../records.js';

/*
 * Events and their deliveries. A delivery is `pending` until it is due; then one process claims it, and only
 * that process sends it and records how it ended. Claims carry a fence: writes of a process that lost its
 * claim are refused.
 */

/** How an endpoint has been answering. */
export type EndpointHealth = {
  is_enabled: boolean;
  /** Set if the service itself switched it off. */
  switched_off_at: string | null;
  switch_off_reason: SwitchOffReason | null;
  /** The first failure since the last success; null if the last delivery succeeded. */
  failing_since: string | null;
  last_failed_at: string | null;
};

/** The URL of an account's endpoint, and its health. */
export type EndpointState = EndpointHealth & { account_id: string; url: string };

export type EndpointRecord = EndpointState & {
  events: EventType[];
  secret: string;
  /**
   * Rotated secrets that have not expired, newest first; each signs in addition to `secret` until it expires.
   */
  previous_secrets: { secret: string; expires_at: string }[];
};

type EventRecord = {
  account_id: string;
  event_id: string;
  event_type: string;
  /** The exact body that is sent; null once it was swept. */
  payload: string | null;
  created_at: string;
  /**
   * The order that the event is about (`etsy:SHOP:RECEIPT`). Events of one subject are sent in recorded
   * order, each once the one before was delivered or given up. Null: in no order.
   */
  subject: string | null;
  /** Names the change, the same for each way in which it is reported; unique in the account. */
  change_key: string | null;
};

export type NewEvent = EventRecord & { payload: string; change_key: string };

export type ClaimedDelivery = {
  account_id: string;
  id: number;
  event_id: string;
  event_type: string;
  /** The event's subject; null if order does not matter. */
  subject: string | null;
  /** The exact body. */
  payload: string;
  /** Position in the schedule of retries, from 0; null: a manual delivery, outside of the schedule. */
  step: number | null;
  /** Of this claim. */
  fence: number;
  /** The endpoint as it was when the delivery was claimed. */
  endpoint: EndpointRecord;
};

export type DeliveryEnd = {
  status: 'success' | 'failed';
  response_status_code: number | null;
  error: string | null;
  completed_at: string;
};

/**
 * The result of an ended delivery: the endpoint's health, and the event's next attempt (null: none is
 * scheduled).
 */
export type Consequence = {
  health: EndpointHealth;
  next: { step: number; wait_ms: number } | null;
};

/** Why deliveries that were still pending will not be sent. */
export type Cancellation =
  'cancelled_endpoint_deleted' | 'cancelled_endpoint_disabled' | 'cancelled_delivered';

type DueAccount = { account_id: string; due_in_ms: number };

export type WebhookStore = {
  findEndpoint(account_id: string): Promise<EndpointRecord | undefined>;
  /**
   * Creates or changes the endpoint. If another change came between read and write, reads and calls `change`
   * again, so that of two changes at the same time neither is lost.
   * @param change pure, since it may be called again; `now` is the time that all processes share
   */
  changeEndpoint(
    account_id: string,
    change: (known: EndpointRecord | undefined, now: string) => EndpointRecord,
  ): Promise<EndpointRecord>;
  /**
   * Deletes the endpoint and cancels its pending deliveries that are not being sent. Undefined if there is
   * none.
   */
  deleteEndpoint(account_id: string): Promise<{ cancelled: number } | undefined>;

  /**
   * Records an event unless the account has one with that change_key, and in the same transaction its first
   * delivery, due at once, if the account's endpoint exists, is on, and wants the type.
   */
  recordEvent(event: NewEvent): Promise<'recorded' | 'known'>;

  /**
   * For each account with deliveries to send and an endpoint that is on: the milliseconds until the first of
   * them is due, 0 for at once.
   */
  listDueAccounts(): Promise<DueAccount[]>;
  /**
   * Claims up to `limit` deliveries that are due, oldest first; each goes to the URL that is set now. After
   * `for_ms` another process may end them as interrupted.
   */
  claimDue(account_id: string, for_ms: number, limit: number): Promise<ClaimedDelivery[]>;
  /**
   * Claims one pending delivery before it is due. Undefined if a process has it, it has ended, or no endpoint
   * is on.
   */
  claimDelivery(account_id: string, id: number, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /**
   * Creates a further delivery of an event, and claims it. Undefined if no endpoint is on, or the payload was
   * deleted.
   */
  createClaimed(account_id: string, event_id: string, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /**
   * Ends a delivery, saves its consequence, and releases the event of the same subject that waits for it,
   * unless the delivery will be retried. A success cancels the event's other pending deliveries. False,
   * without a change, if the claim was lost.
   * @param decide pure, since it is called again if the endpoint was changed in the meantime
   */
  endDelivery(
    delivery: ClaimedDelivery,
    end: DeliveryEnd,
    decide: (endpoint: EndpointState) => Consequence,
  ): Promise<boolean>;
  /**
   * Ends as failed, with this error, deliveries that were claimed by processes that are gone or that had them
   * for too long. Deliveries of a schedule are created again at the same step, due at once, and events that
   * wait for them keep waiting. Returns the number.
   */
  endAbandoned(error: string): Promise<number>;

  findDelivery(account_id: string, id: number): Promise<DeliveryDetail | undefined>;
  /** Newest first. */
  listDeliveries(
    account_id: string,
    page: { status?: DeliveryStatus | undefined; limit: number; offset: number },
  ): Promise<Page<Delivery>>;
  /** All deliveries of one event, oldest first. */
  listEventDeliveries(account_id: string, event_id: string): Promise<Delivery[]>;
  /**
   * Deletes up to `limit` payloads of events of all accounts that are older than `age_ms` and have nothing
   * left to send. Returns the number.
   */
  sweepPayloads(age_ms: number, limit: number): Promise<number>;
};
