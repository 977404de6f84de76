import type { Transaction } from 'kysely';
import type { ListingStore, Snapshot } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Snapshots: each shop's listing as it was last written or imported. */
export function createSnapshots(engine: Engine<Tables>): Pick<ListingStore, 'listSnapshots'> {
  return {
    async listSnapshots(account_id, listing_pk) {
      const { now, rows } = await engine.read(async (trx) => ({
        now: await engine.now(trx),
        rows: await trx
          .selectFrom('snapshots')
          .select(['shop_id', 'snapshot', 'taken_at'])
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('shop_id')
          .execute(),
      }));
      return rows.map(({ shop_id, snapshot, taken_at }) => ({
        shop_id,
        snapshot: fromJson(snapshot),
        age_ms: toAge_ms(taken_at, now),
      }));
    },
  };
}

/** A time in the future was written by a clock that was set since: how long ago it was is unknown. */
function toAge_ms(taken_at: string, now: string): number {
  const age_ms = Date.parse(now) - Date.parse(taken_at);
  return age_ms < 0 ? Number.POSITIVE_INFINITY : age_ms;
}

/** Replaces the parts that the new snapshot has. Call it with the account's row locked. */
export async function mergeSnapshot(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  account_id: string,
  listing_pk: number,
  { shop_id, snapshot }: Snapshot,
): Promise<void> {
  const before = await trx
    .selectFrom('snapshots')
    .select('snapshot')
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('shop_id', '=', shop_id)
    .executeTakeFirst();
  const kept: Snapshot['snapshot'] = before ? fromJson(before.snapshot) : {};
  const values = {
    snapshot: toJson({ ...kept, ...snapshot }),
    taken_at: await engine.now(trx),
  };
  await trx
    .insertInto('snapshots')
    .values({ account_id, listing_pk, shop_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(values))
    .execute();
}
