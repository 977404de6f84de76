import type { Kysely, Transaction } from 'kysely';
import { deliveryDetail, type Delivery, type DeliveryStatus } from '../../schemas/delivery.js';
import type { NewDelivery, WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Tables } from './schema.js';

const COLUMNS = ['id', 'event_type', 'status', 'response_status_code', 'created_at', 'attempt'] as const;

type DeliveryTable = Pick<WebhookStore, 'finishDelivery' | 'findDelivery' | 'listDeliveries'>;

export function createDeliveryTable(database: Database): DeliveryTable {
  return {
    /** The first outcome stands: a delivery that has ended is left as it is. */
    async finishDelivery(account_id, id, end) {
      await database.write((trx) =>
        trx
          .updateTable('deliveries')
          .set(end)
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .where('status', '=', 'pending')
          .execute(),
      );
    },
    findDelivery: (account_id, id) => findDelivery(database.db, account_id, id),
    listDeliveries: (account_id, { status, limit, offset }) =>
      database.read(async (trx) => ({
        total: await getTotal(trx, account_id, status),
        items: await listPage(trx, account_id, status, limit, offset),
      })),
  };
}

/** A new delivery is pending until its outcome is known. */
export function insertDelivery(trx: Transaction<Tables>, delivery: NewDelivery): Promise<Delivery> {
  return trx
    .insertInto('deliveries')
    .values({
      ...delivery,
      status: 'pending',
      response_status_code: null,
      error: null,
      completed_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

async function findDelivery(
  db: Kysely<Tables>,
  account_id: string,
  id: number,
): ReturnType<WebhookStore['findDelivery']> {
  const row = await db
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
      'deliveries.completed_at',
      'events.payload',
    ])
    .where('deliveries.account_id', '=', account_id)
    .where('deliveries.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const payload = row.payload === null ? null : deliveryDetail.shape.payload.parse(JSON.parse(row.payload));
  return { ...row, payload };
}

async function getTotal(
  trx: Transaction<Tables>,
  account_id: string,
  status: DeliveryStatus | undefined,
): Promise<number> {
  let query = trx
    .selectFrom('delivery_totals')
    .select((eb) => eb.fn.sum<number | null>('total').as('total'))
    .where('account_id', '=', account_id);
  if (status !== undefined) query = query.where('status', '=', status);
  return (await query.executeTakeFirst())?.total ?? 0;
}

/** The ids come from an index alone, so that a far page skips index entries and not rows. */
function listPage(
  trx: Transaction<Tables>,
  account_id: string,
  status: DeliveryStatus | undefined,
  limit: number,
  offset: number,
): Promise<Delivery[]> {
  let page = trx
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  if (status !== undefined) page = page.where('status', '=', status);
  return trx.selectFrom('deliveries').select(COLUMNS).where('id', 'in', page).orderBy('id', 'desc').execute();
}
