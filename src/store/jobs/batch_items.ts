import type { BatchCounts } from '../../../schemas/batch.js';
import type { Selectable, Transaction } from 'kysely';
import type { BatchItemRecord, BatchStep, BatchStore, JobClaim } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { padList, toBatches } from '../engine/lengths.js';
import { fromJson, toJson } from '../json.js';
import { toNumber } from '../numbers.js';
import type { Tables } from '../schema.js';
import { toBit } from '../tables/bit.js';
import { requireClaim } from './claims.js';

type BatchItems = Pick<
  BatchStore,
  | 'countBatchItems'
  | 'listBatchItems'
  | 'listItemsFrom'
  | 'listBatchSteps'
  | 'listOpenListings'
  | 'listPlannedListings'
  | 'findSheetEdits'
  | 'savePlannedListing'
  | 'saveBatchItems'
>;

/** The items of batches, and the single changes that they are made of. */
export function createBatchItems(engine: Engine<Tables>): BatchItems {
  const { read, write } = engine;

  /** A write of the job that works on the batch. */
  function writeClaimed(claim: JobClaim, work: (trx: Transaction<Tables>) => Promise<void>): Promise<void> {
    return write(async (trx) => {
      await requireClaim(engine, trx, claim);
      await work(trx);
    });
  }

  return {
    countBatchItems: (account_id, batch_ids) =>
      read(async (trx) => {
        const counts = new Map(batch_ids.map((batch_id) => [batch_id, buildEmptyCounts()]));
        if (batch_ids.length === 0) return counts;
        const rows = await trx
          .selectFrom('batch_items')
          .select(['batch_id', 'status', 'is_changed'])
          .select((eb) => eb.fn.countAll().as('total'))
          .where('account_id', '=', account_id)
          .where('batch_id', 'in', padList(batch_ids))
          .groupBy(['batch_id', 'status', 'is_changed'])
          .execute();
        for (const row of rows) {
          const of = counts.get(row.batch_id);
          if (of) addCount(of, row.status, toNumber(row.total), row.is_changed === 1);
        }
        const places = await trx
          .selectFrom('batch_items')
          .select('batch_id')
          .select((eb) => [
            eb.fn.count('listing_pk').distinct().as('listings'),
            eb.fn.count('shop_id').distinct().as('shops'),
          ])
          .where('account_id', '=', account_id)
          .where('batch_id', 'in', padList(batch_ids))
          .groupBy('batch_id')
          .execute();
        for (const { batch_id, listings, shops } of places) {
          const of = counts.get(batch_id);
          if (of) Object.assign(of, { listings: toNumber(listings), shops: toNumber(shops) });
        }
        return counts;
      }),
    listBatchItems: (account_id, batch_id, { limit, offset, status }) =>
      read(async (trx) => {
        let query = trx
          .selectFrom('batch_items')
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id);
        if (status !== undefined) query = query.where('status', '=', status);
        const { total } = await query.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
        const rows = await query
          .select(['item', 'status'])
          .orderBy('position')
          .limit(limit)
          .offset(offset)
          .execute();
        return { total: toNumber(total), items: rows.map(toItem) };
      }),
    async listItemsFrom(account_id, batch_id, { from, before, limit, status }) {
      const rows = await read((trx) => {
        let query = trx
          .selectFrom('batch_items')
          .select(['item', 'status'])
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('position', '>=', from)
          .orderBy('position');
        if (before !== undefined) query = query.where('position', '<', before);
        if (status !== undefined) query = query.where('status', '=', status);
        if (limit !== undefined) query = query.limit(limit);
        return query.execute();
      });
      return rows.map(toItem);
    },
    async listOpenListings(account_id, batch_id) {
      const rows = await read((trx) =>
        trx
          .selectFrom('batch_steps')
          .select((eb) => ['listing_pk', eb.fn.countAll().as('steps')])
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('is_done', '=', 0)
          .groupBy('listing_pk')
          .orderBy((eb) => eb.fn.min('position'))
          .execute(),
      );
      return rows.map(({ listing_pk, steps }) => ({ listing_pk, steps: toNumber(steps) }));
    },
    async listBatchSteps(account_id, batch_id, listing_pk) {
      const rows = await read((trx) =>
        trx
          .selectFrom('batch_steps')
          .select(['position', 'listing_pk', 'call', 'job_ids', 'is_done'])
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('position')
          .execute(),
      );
      return rows.map(({ call, job_ids, is_done, ...step }): BatchStep => ({
        ...step,
        call: fromJson(call),
        job_ids: fromJson(job_ids),
        is_done: is_done === 1,
      }));
    },
    listPlannedListings: (account_id, batch_id) =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('batch_items')
          .select('listing_pk')
          .distinct()
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .execute();
        return rows.map(({ listing_pk }) => listing_pk);
      }),
    findSheetEdits: (account_id, batch_id, listing_pk) =>
      read(async (trx) => {
        const row = await trx
          .selectFrom('batch_edits')
          .select('edits')
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('listing_pk', '=', listing_pk)
          .executeTakeFirst();
        return row ? fromJson(row.edits) : [];
      }),
    savePlannedListing: (claim, batch_id, { items, steps }) =>
      writeClaimed(claim, async (trx) => {
        const { account_id } = claim;
        for (const rows of toBatches(items))
          await trx
            .insertInto('batch_items')
            .values(rows.map((item) => ({ account_id, batch_id, ...toItemRow(item, item.diff.length > 0) })))
            .execute();
        for (const rows of toBatches(steps))
          await trx
            .insertInto('batch_steps')
            .values(
              rows.map(({ position, listing_pk, call, is_done }) => ({
                account_id,
                batch_id,
                position,
                listing_pk,
                call: toJson(call),
                job_ids: toJson([]),
                is_done: toBit(is_done),
              })),
            )
            .execute();
        const cents = items.reduce((sum, item) => sum + Math.round(item.cost_usd * 100), 0);
        const calls = items.reduce((sum, item) => sum + item.marketplace_calls, 0);
        await trx
          .updateTable('batches')
          .set(({ eb }) => ({
            cost_cents: eb('cost_cents', '+', cents),
            marketplace_calls: eb('marketplace_calls', '+', calls),
          }))
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .execute();
      }),
    saveBatchItems: (claim, batch_id, items, step) =>
      writeClaimed(claim, async (trx) => {
        const { account_id } = claim;
        for (const item of items) {
          const { position, status, item: json } = toItemRow(item, true);
          await trx
            .updateTable('batch_items')
            .set({ status, item: json })
            .where('account_id', '=', account_id)
            .where('batch_id', '=', batch_id)
            .where('position', '=', position)
            .execute();
        }
        if (step === undefined) return;
        await trx
          .updateTable('batch_steps')
          .set({ is_done: toBit(step.is_done), job_ids: toJson(step.job_ids) })
          .where('account_id', '=', account_id)
          .where('batch_id', '=', batch_id)
          .where('position', '=', step.position)
          .execute();
      }),
  };
}

/** The column has the status, since many items change at once. */
function toItem({
  item,
  status,
}: Pick<Selectable<Tables['batch_items']>, 'item' | 'status'>): BatchItemRecord {
  return { ...fromJson(item), status };
}

function toItemRow(item: BatchItemRecord, isChanged: boolean) {
  const { position, listing_pk, shop_id, status } = item;
  return { position, listing_pk, shop_id, status, is_changed: toBit(isChanged), item: toJson(item) };
}

function buildEmptyCounts(): BatchCounts {
  return {
    listings: 0,
    shops: 0,
    items: 0,
    changed: 0,
    unchanged: 0,
    refused: 0,
    waiting: 0,
    ok: 0,
    error: 0,
    canceled: 0,
  };
}

function addCount(
  counts: BatchCounts,
  status: BatchItemRecord['status'],
  total: number,
  isChanged: boolean,
): void {
  counts.items += total;
  if (isChanged) counts.changed += total;
  if (status === 'running') counts.waiting += total;
  else if (status !== 'planned') counts[status] += total;
}
