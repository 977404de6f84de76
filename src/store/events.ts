import type { WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { insertDelivery } from './deliveries.js';

type EventTable = Pick<WebhookStore, 'createEvent' | 'findEvent' | 'createDelivery'>;

/** Events, and the deliveries that come with them. */
export function createEventTable(database: Database): EventTable {
  return {
    createEvent: (event, delivery) =>
      database.write(async (trx) => {
        await trx.insertInto('events').values(event).execute();
        return insertDelivery(trx, delivery);
      }),
    findEvent: (account_id, event_id) =>
      database.db
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('event_id', '=', event_id)
        .executeTakeFirst(),
    createDelivery: (delivery) =>
      database.write(async (trx) => {
        const last = await trx
          .selectFrom('deliveries')
          .select((eb) => eb.fn.max('attempt').as('attempt'))
          .where('account_id', '=', delivery.account_id)
          .where('event_id', '=', delivery.event_id)
          .executeTakeFirst();
        return insertDelivery(trx, { ...delivery, attempt: (last?.attempt ?? 0) + 1 });
      }),
  };
}
