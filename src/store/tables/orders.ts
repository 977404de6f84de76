import type { Generated } from 'kysely';
import type { DeliveryStatus } from '../../../schemas/delivery.js';
import type { EventType, SwitchOffReason } from '../../../schemas/endpoint.js';
import type { OrderSummary, OrderChange } from '../../core/ports/index.js';
import type { Json } from '../json.js';
import type { Bit } from './bit.js';

export type EndpointTable = {
  account_id: string;
  url: string;
  events: Json<EventType[]>;
  is_enabled: Bit;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_secret_expires_at: string | null;
  switched_off_at: string | null;
  switch_off_reason: SwitchOffReason | null;
  failing_since: string | null;
  last_failed_at: string | null;
};

export type EventTable = {
  account_id: string;
  event_id: string;
  event_type: string;
  /** The body as sent, byte for byte; null without a destination, and once it was destroyed. */
  sealed_payload: Buffer | null;
  created_at: string;
  subject: string | null;
  change_key: string | null;
};

export type DeliveryTable = {
  id: Generated<number>;
  account_id: string;
  event_id: string;
  event_type: string;
  url: string;
  attempt: number;
  status: DeliveryStatus;
  response_status_code: number | null;
  error: string | null;
  created_at: string;
  completed_at: string | null;
  /** Its event's subject, so that an index finds the deliveries that wait for each other. */
  subject: string | null;
  /** Position in the schedule, from 0; null for a manual delivery, which is outside of it. */
  step: number | null;
  /** Null while it waits for an earlier event of its subject, and for a delivery that was claimed when it was created. */
  due_at: string | null;
  claimed_by: string | null;
  claimed_until: string | null;
  /** Rises with each claim. */
  fence: number;
};

export type HeardOrderTable = { [Change in OrderChange as `is_${Change}`]: Bit } & {
  account_id: string;
  shop_id: number;
  receipt_id: number;
  created_at_s: number;
  summary: Json<OrderSummary>;
};

export type OrderPollTable = {
  shop_id: number;
  claimed_by: string | null;
  claimed_until: string | null;
  next_at: string | null;
  interval_ms: number;
  next_transit_at: string | null;
  fence: number;
  /** When the last poll ended. */
  looked_at: string | null;
};

export type OrderHintTable = {
  webhook_id: string;
  shop_id: number;
  receipt_id: number;
  told: OrderChange;
  received_at: string;
  /** Rises with each claim, and serves as its fence. */
  attempt: number;
  due_at: string | null;
  finished_at: string | null;
};
