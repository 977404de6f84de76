import { sql, type SqlBool, type Transaction } from 'kysely';
import type { NewEvent, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { insertDelivery, isSubjectHeld } from './deliveries.js';
import { fromJson } from './json.js';
import type { Tables } from './schema.js';

type EventTable = Pick<WebhookStore, 'recordEvent' | 'sweepPayloads'>;

export function createEventTable(database: Database): EventTable {
  return {
    recordEvent: (event) =>
      database.write(async (trx) => {
        const inserted = await trx
          .insertInto('events')
          .values(event)
          .onConflict((conflict) =>
            conflict
              .columns(['account_id', 'change_key'])
              .where(sql<SqlBool>`change_key IS NOT NULL`)
              .doNothing(),
          )
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows === 0n) return 'known';
        await insertFirstDelivery(trx, event);
        return 'recorded';
      }),
    sweepPayloads: (created_before, limit) =>
      database.write(async (trx) => {
        const result = await trx
          .updateTable('events')
          .set({ payload: null })
          .where('rowid' as 'event_id', 'in', (eb) =>
            eb
              .selectFrom('events')
              .select('rowid' as 'event_id')
              .where('payload', 'is not', null)
              .where('created_at', '<', created_before)
              .where(HAS_NOTHING_PENDING)
              .limit(limit),
          )
          .executeTakeFirst();
        return Number(result.numUpdatedRows);
      }),
  };
}

/** The plus keeps the status out of the choice of an index: an event has few deliveries, an account may have many pending. */
const HAS_NOTHING_PENDING = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM deliveries
  WHERE deliveries.account_id = events.account_id AND deliveries.event_id = events.event_id
    AND +deliveries.status = 'pending'
)`;

/** Only where there is somebody to send to who wants this type. */
async function insertFirstDelivery(trx: Transaction<Tables>, event: NewEvent): Promise<void> {
  const { account_id, event_id, event_type, subject, created_at } = event;
  const endpoint = await trx
    .selectFrom('webhook_endpoints')
    .select(['url', 'events'])
    .where('account_id', '=', account_id)
    .where('is_enabled', '=', 1)
    .executeTakeFirst();
  if (!endpoint || !fromJson(endpoint.events).some((wanted) => wanted === event_type)) return;
  const is_behind = subject !== null && (await isSubjectHeld(trx, account_id, subject));
  await insertDelivery(trx, {
    account_id,
    event_id,
    event_type,
    subject,
    url: endpoint.url,
    step: 0,
    created_at,
    due_at: is_behind ? null : created_at,
  });
}
