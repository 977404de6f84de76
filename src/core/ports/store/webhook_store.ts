import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../../../schemas/delivery.js';
import type { EventType, SwitchOffReason } from '../../../../schemas/endpoint.js';
import type { Page } from '../records.js';

/*
 * Events and their deliveries. A delivery is `pending` until it is due, then claimed by one process, which alone sends it and records
 * how it ended. Claims carry a fence: the record of a process that lost its claim is refused.
 */

/** How an endpoint has been answering. */
export type EndpointHealth = {
  is_enabled: boolean;
  /** Set when the service itself switched it off. */
  switched_off_at: string | null;
  switch_off_reason: SwitchOffReason | null;
  /** The first failure since the last success; null when the last delivery succeeded. */
  failing_since: string | null;
  last_failed_at: string | null;
};

/** The URL of an account's endpoint, and its health. */
export type EndpointState = EndpointHealth & { account_id: string; url: string };

export type EndpointRecord = EndpointState & {
  events: EventType[];
  secret: string;
  /** Rotated secrets that have not expired, the newest first; each signs beside `secret` until it expires. */
  previous_secrets: { secret: string; expires_at: string }[];
};

type EventRecord = {
  account_id: string;
  event_id: string;
  event_type: string;
  /** The exact body that is sent; null once it was swept. */
  payload: string | null;
  created_at: string;
  /** The order that the event is about (`etsy:SHOP:RECEIPT`): events of one subject are sent in recorded order, each when the one before was delivered or given up. Null: in no order. */
  subject: string | null;
  /** Names the change, the same for each way that it is reported; unique in the account. */
  change_key: string | null;
};

export type NewEvent = EventRecord & { payload: string; change_key: string };

export type ClaimedDelivery = {
  account_id: string;
  id: number;
  event_id: string;
  event_type: string;
  /** The event's subject; null where order does not matter. */
  subject: string | null;
  /** The exact body. */
  payload: string;
  /** Position in the schedule of retries, from 0; null: a delivery by hand, outside of the schedule. */
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

/** What follows from an ended delivery: the endpoint's health, and the event's next attempt (null: none by itself). */
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
   * Creates or changes the endpoint. When another change came between read and write, reads and calls `change` again, so that of two
   * changes at the same time none is lost.
   * @param change pure, since it may be called again; `now` is the time that all processes share
   */
  changeEndpoint(
    account_id: string,
    change: (known: EndpointRecord | undefined, now: string) => EndpointRecord,
  ): Promise<EndpointRecord>;
  /** Deletes the endpoint and cancels its pending deliveries that are not being sent. Undefined when there is none. */
  deleteEndpoint(account_id: string): Promise<{ cancelled: number } | undefined>;

  /**
   * Records an event unless the account has one of that change_key, and in the same transaction its first delivery, due at once,
   * when the account's endpoint exists, is on, and wants the type.
   */
  recordEvent(event: NewEvent): Promise<'recorded' | 'known'>;

  /** For each account with deliveries to send and an endpoint that is on: in how many milliseconds the first of them is due, 0 for at once. */
  listDueAccounts(): Promise<DueAccount[]>;
  /**
   * Claims up to `limit` deliveries that are due, oldest first; each goes to the URL that is set now. After `for_ms` another process
   * may end them as interrupted.
   */
  claimDue(account_id: string, for_ms: number, limit: number): Promise<ClaimedDelivery[]>;
  /** Claims one pending delivery before it is due. Undefined when a process has it, it has ended, or no endpoint is on. */
  claimDelivery(account_id: string, id: number, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /** Creates a further delivery of an event, and claims it. Undefined when no endpoint is on, or the payload was deleted. */
  createClaimed(account_id: string, event_id: string, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /**
   * Ends a delivery, saves what follows from it, and releases the event of the same subject that waits for it, unless it is to be
   * tried again. A success cancels the event's other pending deliveries. False, without a change, when the claim was lost.
   * @param decide pure, since it is called again when the endpoint has changed meanwhile
   */
  endDelivery(
    delivery: ClaimedDelivery,
    end: DeliveryEnd,
    decide: (endpoint: EndpointState) => Consequence,
  ): Promise<boolean>;
  /**
   * Ends as failed, with this error, deliveries that were claimed by processes that are gone or that had them for too long. Those of a
   * schedule are created again at the same step, due at once, and events that wait for them go on waiting. Answers how many.
   */
  endAbandoned(error: string): Promise<number>;

  findDelivery(account_id: string, id: number): Promise<DeliveryDetail | undefined>;
  /** Newest first. */
  listDeliveries(
    account_id: string,
    page: { status?: DeliveryStatus | undefined; limit: number; offset: number },
  ): Promise<Page<Delivery>>;
  /** All deliveries of one event, the oldest first. */
  listEventDeliveries(account_id: string, event_id: string): Promise<Delivery[]>;
  /** Deletes up to `limit` payloads of events of all accounts that are older than `age_ms` and have nothing left to send. Answers how many. */
  sweepPayloads(age_ms: number, limit: number): Promise<number>;
};
