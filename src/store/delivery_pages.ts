import { sql, type Kysely } from 'kysely';
import type { Delivery, DeliveryStatus } from '../../schemas/delivery.js';
import type { WebhookStore } from '../core/ports/index.js';
import type { Database } from './database.js';
import { SIZES } from './delivery_counts.js';
import { fromJson, type Json } from './json.js';
import type { Tables } from './schema.js';

const COLUMNS = ['id', 'event_type', 'status', 'response_status_code', 'created_at', 'attempt'] as const;
const [WIDEST] = SIZES;

type Place = { account_id: string; status: DeliveryStatus; offset: number };

/** Pages that cost the same wherever they are, and totals that are counted as deliveries come and change. */
export function createDeliveryPages(
  database: Database,
): Pick<WebhookStore, 'listDeliveries' | 'listEventDeliveries'> {
  const { db } = database;
  const findTotals = database.prepare(sumDeliveries(db).where('account_id', '=', '').compile());
  const listAll = database.prepare(selectAll(db).compile());
  const listOfStatus = database.prepare(selectOfStatus(db).compile());
  const countRanges = {
    pending: database.prepare(selectCounts('pending').compile(db)),
    success: database.prepare(selectCounts('success').compile(db)),
    failed: database.prepare(selectCounts('failed').compile(db)),
  };

  function getTotal(account_id: string, status: DeliveryStatus | undefined): number {
    const [totals = { pending: 0, success: 0, failed: 0 }] = findTotals.all(account_id);
    return status === undefined ? totals.pending + totals.success + totals.failed : totals[status];
  }

  /** Goes down the widths: whole ranges are stepped over by their counts, until few are left to step over one by one. */
  function findStart({ account_id, status, offset }: Place): { below_seq: number; rest: number } | undefined {
    if (offset < 100) return { below_seq: Number.MAX_SAFE_INTEGER, rest: offset };
    let rest = offset;
    let range = { from: 0, below: Number.MAX_SAFE_INTEGER };
    for (const size of SIZES) {
      const first = range.from / size;
      const [counted] = countRanges[status].all(account_id, size, first, range.below / size);
      const totals = counted ? fromJson(counted.totals) : [];
      const oldest = counted?.oldest ?? first;
      const place = totals.findLastIndex((total) => {
        if (rest < total) return true;
        rest -= total;
        return false;
      });
      if (place < 0) return undefined;
      range = { from: (oldest + place) * size, below: (oldest + place + 1) * size };
    }
    return { below_seq: range.below, rest };
  }

  function listPage(place: Place, limit: number): Delivery[] {
    const start = findStart(place);
    if (!start) return [];
    return listOfStatus.all(place.account_id, place.status, start.below_seq, limit, start.rest);
  }

  return {
    listDeliveries: (account_id, { status, limit, offset }) =>
      database.read(async () => ({
        total: getTotal(account_id, status),
        items:
          status === undefined
            ? listAll.all(account_id, offset, account_id, limit)
            : listPage({ account_id, status, offset }, limit),
      })),
    listEventDeliveries: (account_id, event_id) =>
      db
        .selectFrom('deliveries')
        .select(COLUMNS)
        .where('account_id', '=', account_id)
        .where('event_id', '=', event_id)
        .orderBy('attempt')
        .execute(),
  };
}

/** How many of each status there are, of all accounts unless one is named. Takes no values of its own. */
export function sumDeliveries(db: Kysely<Tables>) {
  return db
    .selectFrom('delivery_buckets')
    .select(({ fn, lit }) => [
      fn.coalesce(fn.sum<number>('pending'), lit(0)).as('pending'),
      fn.coalesce(fn.sum<number>('success'), lit(0)).as('success'),
      fn.coalesce(fn.sum<number>('failed'), lit(0)).as('failed'),
    ])
    .where('size', '=', ({ lit }) => lit(WIDEST));
}

/** Of an account, from an offset (without gaps in `seq`, that is a subtraction), of the same account, so many. */
function selectAll(db: Kysely<Tables>) {
  return db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('account_id', '=', '')
    .where('seq', '<=', (eb) =>
      eb
        .selectFrom('deliveries')
        .select((of) => of(of.fn.max('seq'), '-', 0).as('seq'))
        .where('account_id', '=', ''),
    )
    .orderBy('seq', 'desc')
    .limit(0);
}

/** Of an account and a status, below a `seq`, so many, after so many. */
function selectOfStatus(db: Kysely<Tables>) {
  return db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('account_id', '=', '')
    .where('status', '=', 'pending')
    .where('seq', '<', 0)
    .orderBy('seq', 'desc')
    .limit(0)
    .offset(0);
}

/**
 * Of an account and a size, from one bucket to below another, without gaps as `seq` has none, the oldest first: which is that of the
 * oldest delivery that is kept, or the first that was asked for.
 */
function selectCounts(status: DeliveryStatus) {
  return sql<{ totals: Json<number[]>; oldest: number | null }>`
    SELECT json_group_array(${sql.ref(status)} ORDER BY bucket) AS totals, min(bucket) AS oldest FROM delivery_buckets
    WHERE account_id = ${''} AND size = ${0} AND bucket >= ${0} AND bucket < ${0}`;
}
