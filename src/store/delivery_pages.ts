import type { Transaction } from 'kysely';
import type { Delivery, DeliveryStatus } from '../../schemas/delivery.js';
import type { WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Tables } from './schema.js';

const COLUMNS = ['id', 'event_type', 'status', 'response_status_code', 'created_at', 'attempt'] as const;
/** Widths of the ranges that delivery_buckets counts, widest first; its triggers name them too. */
const SIZES = [1_000_000, 10_000, 100] as const;

/** Pages that cost the same wherever they are, and totals that are counted as deliveries come and change. */
export function createDeliveryPages(
  database: Database,
): Pick<WebhookStore, 'listDeliveries' | 'listEventDeliveries'> {
  return {
    listDeliveries: (account_id, { status, limit, offset }) =>
      database.read(async (trx) => ({
        total: await getTotal(trx, account_id, status),
        items:
          status === undefined
            ? await listAll(trx, account_id, limit, offset)
            : await listOfStatus(trx, account_id, status, limit, offset),
      })),
    listEventDeliveries: (account_id, event_id) =>
      database.db
        .selectFrom('deliveries')
        .select(COLUMNS)
        .where('account_id', '=', account_id)
        .where('event_id', '=', event_id)
        .orderBy('attempt')
        .execute(),
  };
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

/** Without gaps in `seq`, an offset is a subtraction. */
function listAll(
  trx: Transaction<Tables>,
  account_id: string,
  limit: number,
  offset: number,
): Promise<Delivery[]> {
  return trx
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('seq', '<=', (eb) =>
      eb
        .selectFrom('deliveries')
        .select((of) => of(of.fn.max('seq'), '-', offset).as('seq'))
        .where('account_id', '=', account_id),
    )
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}

async function listOfStatus(
  trx: Transaction<Tables>,
  account_id: string,
  status: DeliveryStatus,
  limit: number,
  offset: number,
): Promise<Delivery[]> {
  const start = await findStart(trx, account_id, status, offset);
  if (!start) return [];
  return trx
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('status', '=', status)
    .where('seq', '<', start.below_seq)
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(start.rest)
    .execute();
}

/** Goes down the widths: whole ranges are stepped over by their counts, until few are left to step over one by one. */
async function findStart(
  trx: Transaction<Tables>,
  account_id: string,
  status: DeliveryStatus,
  offset: number,
): Promise<{ below_seq: number; rest: number } | undefined> {
  if (offset < 100) return { below_seq: Number.MAX_SAFE_INTEGER, rest: offset };
  let rest = offset;
  let range = { from: 0, below: Number.MAX_SAFE_INTEGER };
  for (const size of SIZES) {
    const buckets = await trx
      .selectFrom('delivery_buckets')
      .select(['bucket', 'total'])
      .where('account_id', '=', account_id)
      .where('status', '=', status)
      .where('size', '=', size)
      .where('bucket', '>=', Math.floor(range.from / size))
      .where('bucket', '<', Math.ceil(range.below / size))
      .orderBy('bucket', 'desc')
      .execute();
    const found = buckets.find(({ total }) => {
      if (rest < total) return true;
      rest -= total;
      return false;
    });
    if (!found) return undefined;
    range = { from: found.bucket * size, below: (found.bucket + 1) * size };
  }
  return { below_seq: range.below, rest };
}
