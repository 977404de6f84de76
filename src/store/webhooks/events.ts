import { sql, type SqlBool, type Transaction } from 'kysely';
import type { NewEvent, RetentionStore, WebhookStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson } from '../json.js';
import type { Tables } from '../schema.js';
import type { Secrets } from '../secrets/secrets.js';
import { insertDelivery } from './deliveries.js';
import { lockEndpoint } from './endpoints.js';
import { sealPayload } from './payloads.js';
import { isBehind } from './subjects.js';

type EventRepository = Pick<WebhookStore, 'recordEvent' | 'sweepPayloads'> &
  Pick<RetentionStore, 'sweepEvents'>;

/** Events, each recorded with its first delivery in one transaction. */
export function createEventRepository(engine: Engine<Tables>, secrets: Secrets): EventRepository {
  const { write } = engine;
  return {
    recordEvent: ({ payload, ...event }) =>
      write(async (trx) => {
        const endpoint = await lockEndpoint(engine, trx, event.account_id);
        const isOn = endpoint?.is_enabled === 1;
        const isWanted = isOn && fromJson(endpoint.events).some((wanted) => wanted === event.event_type);
        // An event without a subject is a test, which its caller sends.
        const isKept = isWanted || (isOn && event.subject === null);
        const inserted = await trx
          .insertInto('events')
          .values({ ...event, sealed_payload: isKept ? sealPayload(secrets, event, payload) : null })
          .onConflict((conflict) =>
            conflict.columns(['account_id', 'change_key']).where('change_key', 'is not', null).doNothing(),
          )
          .executeTakeFirstOrThrow();
        if (Number(inserted.numInsertedOrUpdatedRows) === 0) return 'known';
        if (isWanted) await insertFirstDelivery(engine, trx, event, endpoint.url);
        return 'recorded';
      }),
    sweepPayloads: (age_ms, limit) =>
      write(async (trx) => {
        const created_before = shiftTime(await engine.now(trx), -age_ms);
        const { numUpdatedRows } = await trx
          .updateTable('events')
          .set({ sealed_payload: null })
          .where((eb) =>
            eb(
              eb.refTuple('account_id', 'event_id'),
              'in',
              selectOld(trx, created_before, limit)
                .where('sealed_payload', 'is not', null)
                .where(HAS_NOTHING_PENDING)
                .$asTuple('account_id', 'event_id'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      }),
    sweepEvents: (age_ms, limit) =>
      write(async (trx) => {
        const created_before = shiftTime(await engine.now(trx), -age_ms);
        const { numDeletedRows } = await trx
          .deleteFrom('events')
          .where((eb) =>
            eb(
              eb.refTuple('account_id', 'event_id'),
              'in',
              selectOld(trx, created_before, limit)
                .where('sealed_payload', 'is', null)
                .where(HAS_NO_DELIVERY)
                .$asTuple('account_id', 'event_id'),
            ),
          )
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}

function selectOld(trx: Transaction<Tables>, created_before: string, limit: number) {
  return trx
    .selectFrom('events')
    .select(['account_id', 'event_id'])
    .where('created_at', '<', created_before)
    .limit(limit);
}

/** An event has few deliveries, an account may have many pending: the CASE keeps the status out of the choice of an index. */
const HAS_NOTHING_PENDING = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM deliveries
  WHERE deliveries.account_id = events.account_id AND deliveries.event_id = events.event_id
    AND CASE deliveries.status WHEN 'pending' THEN 1 ELSE 0 END = 1
)`;

const HAS_NO_DELIVERY = sql<SqlBool>`NOT EXISTS (
  SELECT 1 FROM deliveries
  WHERE deliveries.account_id = events.account_id AND deliveries.event_id = events.event_id
)`;

async function insertFirstDelivery(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  event: Omit<NewEvent, 'payload'>,
  url: string,
): Promise<void> {
  const { account_id, event_id, event_type, subject, created_at } = event;
  const shouldWait = await isBehind(trx, event);
  const now = await engine.now(trx);
  await insertDelivery(trx, {
    account_id,
    event_id,
    event_type,
    subject,
    url,
    step: 0,
    created_at,
    due_at: shouldWait ? null : now,
  });
}
