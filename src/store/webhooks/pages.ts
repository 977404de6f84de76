import { deliveryDetail } from '../../../schemas/delivery.js';
import type { WebhookStore } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { unsealPayload } from './payloads.js';
import { sumDeliveries } from './totals.js';

const COLUMNS = ['id', 'event_type', 'status', 'response_status_code', 'created_at', 'attempt'] as const;

type PageRepository = Pick<WebhookStore, 'findDelivery' | 'listDeliveries' | 'listEventDeliveries'>;

/** Reads deliveries: one, a page of them, or all of an event. */
export function createDeliveryPageRepository({ read }: Engine<Tables>, secrets: Secrets): PageRepository {
  return {
    async findDelivery(account_id, id) {
      const row = await read((trx) =>
        trx
          .selectFrom('deliveries')
          .innerJoin('events', (join) =>
            join
              .onRef('events.account_id', '=', 'deliveries.account_id')
              .onRef('events.event_id', '=', 'deliveries.event_id'),
          )
          .select([
            'deliveries.id',
            'deliveries.event_type',
            'deliveries.status',
            'deliveries.response_status_code',
            'deliveries.created_at',
            'deliveries.attempt',
            'deliveries.error',
            'deliveries.event_id',
            'deliveries.url',
            'deliveries.due_at',
            'deliveries.completed_at',
            'events.sealed_payload',
          ])
          .where('deliveries.account_id', '=', account_id)
          .where('deliveries.id', '=', id)
          .executeTakeFirst(),
      );
      if (!row) return undefined;
      const { sealed_payload: sealed, ...delivery } = row;
      if (sealed === null) return { ...delivery, payload: null };
      const body = unsealPayload(secrets, { account_id, event_id: row.event_id }, sealed);
      return { ...delivery, payload: deliveryDetail.shape.payload.parse(JSON.parse(body)) };
    },
    listDeliveries: (account_id, { status, limit, offset }) =>
      read(async (trx) => {
        const totals = await sumDeliveries(trx, account_id);
        const items = await trx
          .selectFrom('deliveries')
          .select(COLUMNS)
          .where('account_id', '=', account_id)
          .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'pending'))
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute();
        const { pending, success, failed } = totals;
        return { total: status === undefined ? pending + success + failed : totals[status], items };
      }),
    listEventDeliveries: (account_id, event_id) =>
      read((trx) =>
        trx
          .selectFrom('deliveries')
          .select(COLUMNS)
          .where('account_id', '=', account_id)
          .where('event_id', '=', event_id)
          .orderBy('attempt')
          .execute(),
      ),
  };
}
