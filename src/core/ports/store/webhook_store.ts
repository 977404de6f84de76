import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../../../schemas/delivery.js';
import type { OrderEvent, SwitchOffReason } from '../../../../schemas/endpoint.js';
import type { Page } from '../records.js';

/*
 * Events and their deliveries. A delivery is `pending` until its time, then claimed by one process, which alone sends it and says
 * how it ended; so two processes cannot send it both. Claims carry a fence: what a process says of one that it has lost is refused.
 */

/** How an endpoint has been answering. */
export type EndpointHealth = {
  is_enabled: boolean;
  /** Set when the service itself switched it off. */
  switched_off_at: string | null;
  switch_off_reason: SwitchOffReason | null;
  /** First failure after which nothing succeeded; null when all is well. */
  failing_since: string | null;
  last_failed_at: string | null;
};

/** Where an account's deliveries go now, and how that has been answering. */
export type EndpointState = EndpointHealth & { account_id: string; url: string };

export type EndpointRecord = EndpointState & {
  events: OrderEvent[];
  secret: string;
  /** What was rotated away, the newest first; each signs beside `secret` until its time. */
  previous_secrets: { secret: string; expires_at: string }[];
};

type EventRecord = {
  account_id: string;
  event_id: string;
  event_type: string;
  /** The exact body that is sent; null once it was swept. */
  payload: string | null;
  created_at: string;
  /** What the event is about (`etsy:SHOP:RECEIPT`): events of one subject go in recorded order, each when the one before was delivered or given up. Null: in no order. */
  subject: string | null;
  /** What happened, as a word that is the same however it was heard; an account has one event of each. */
  change_key: string | null;
};

export type NewEvent = EventRecord & { payload: string; change_key: string };

export type ClaimedDelivery = {
  account_id: string;
  id: number;
  event_id: string;
  event_type: string;
  /** What its event happened to; null where order does not matter. */
  subject: string | null;
  /** The exact body. */
  payload: string;
  /** Place in the schedule, from 0; null: it starts and continues none. */
  step: number | null;
  /** Of this claim. */
  fence: number;
  /** As it was when the delivery was claimed. */
  endpoint: EndpointRecord;
};

export type DeliveryEnd = {
  status: 'success' | 'failed';
  response_status_code: number | null;
  error: string | null;
  completed_at: string;
};

/** What an ended delivery means: for its endpoint, and for its event (null: it is not tried again by itself). */
export type Consequence = {
  health: EndpointHealth;
  next: { step: number; wait_ms: number } | null;
};

/** Why deliveries that were still pending will not be sent. */
export type Cancellation =
  'cancelled_endpoint_deleted' | 'cancelled_endpoint_disabled' | 'cancelled_delivered';

export type DueAccount = { account_id: string; due_in_ms: number };

export type WebhookStore = {
  findEndpoint(account_id: string): Promise<EndpointRecord | undefined>;
  /**
   * Reads, and replaces what was read: where another change came in between, reads again. So of two changes at once none is lost.
   * @param change pure, since it may be called again
   */
  changeEndpoint(
    account_id: string,
    change: (known: EndpointRecord | undefined) => EndpointRecord,
  ): Promise<EndpointRecord>;
  /** Deletes it and cancels what is pending and not being sent. Undefined when there is none. */
  deleteEndpoint(account_id: string): Promise<{ cancelled: number } | undefined>;

  /**
   * Records an event unless the account has one of that change_key, and in the same transaction its first delivery, due at once,
   * when the account's endpoint exists, is on, and wants the type.
   */
  recordEvent(event: NewEvent): Promise<'recorded' | 'known'>;

  /** For each account with deliveries to send and an endpoint that is on: in how many milliseconds the first of them is due, 0 for at once. */
  listDueAccounts(): Promise<DueAccount[]>;
  /**
   * Takes up to `limit` deliveries that are due, oldest first; each goes to the URL that is set now. After `for_ms` others may say
   * that they were interrupted.
   */
  claimDue(account_id: string, for_ms: number, limit: number): Promise<ClaimedDelivery[]>;
  /** Takes one pending delivery before its time. Undefined when a process has it, or it has ended, or there is no endpoint that is on. */
  claimDelivery(account_id: string, id: number, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /** A further delivery of an event, claimed from its first moment. Undefined without an endpoint that is on, or without payload. */
  createClaimed(account_id: string, event_id: string, for_ms: number): Promise<ClaimedDelivery | undefined>;
  /**
   * Ends a delivery, applies what it means, and releases the event of the same subject that waits for it, unless it is to be tried
   * again. A success cancels what else is pending of the event. False, and nothing happens, when it is no longer held by that claim.
   * @param decide pure, since it is asked again where the endpoint has changed meanwhile
   */
  endDelivery(
    delivery: ClaimedDelivery,
    end: DeliveryEnd,
    decide: (endpoint: EndpointState) => Consequence,
  ): Promise<boolean>;
  /**
   * Ends as failed, with this error, what was claimed by processes that are gone or that had it for too long; those of a schedule
   * are made anew at the same step, due at once, and go on holding up what waits for them. Answers how many.
   */
  endAbandoned(error: string): Promise<number>;

  findDelivery(account_id: string, id: number): Promise<DeliveryDetail | undefined>;
  /** Newest first. */
  listDeliveries(
    account_id: string,
    page: { status?: DeliveryStatus | undefined; limit: number; offset: number },
  ): Promise<Page<Delivery>>;
  /** All that were made of one event, the first first. */
  listEventDeliveries(account_id: string, event_id: string): Promise<Delivery[]>;
  /** Of all accounts: forgets up to `limit` payloads of events of that age in milliseconds which nothing still has to send. Answers how many. */
  sweepPayloads(age_ms: number, limit: number): Promise<number>;
};
