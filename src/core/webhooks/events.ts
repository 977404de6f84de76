import type { EventType } from '../../../schemas/endpoint.js';
import type { Ports } from '../ports/index.js';
import type { Outbox } from './deliveries/outbox.js';
import { toReceivableJson } from '../text/visible_text.js';

/** A change that makes an event. */
type Change = {
  account_id: string;
  event_type: EventType;
  /** The event's `data`, as its receiver gets it. */
  data: object;
  /**
   * The order that changed (`etsy:SHOP:RECEIPT`), or the batch: events of one subject are sent in recorded order, each once
   * the one before was delivered or given up.
   */
  subject: string;
  /** The same for the same change, from each source and however often it is reported; unique in the account. */
  change_key: string;
};

export type Events = {
  /**
   * Records a change once, as an event whose body is frozen here, with its first delivery if a destination is on. Without a
   * destination that is on, the event is recorded and never sent. Returns `known` if the account already had this change.
   */
  record(change: Change): Promise<'recorded' | 'known'>;
};

export function createEvents({ store, clock, ids }: Ports, outbox: Outbox): Events {
  return {
    async record({ account_id, event_type, data, subject, change_key }) {
      const event_id = ids.build('evt_');
      const created_at = clock.now().toISOString();
      const payload = toReceivableJson({ id: event_id, type: event_type, created_at, data });
      const outcome = await store.webhooks.recordEvent({
        account_id,
        event_id,
        event_type,
        payload,
        created_at,
        subject,
        change_key,
      });
      if (outcome === 'recorded') outbox.notifyNew();
      return outcome;
    },
  };
}
