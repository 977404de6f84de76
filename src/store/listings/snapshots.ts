import type { Transaction } from 'kysely';
import type { ListingStore, ShownFields, Snapshot } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { lockAccount } from '../identity/lock_account.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Snapshots: each shop's listing as it was last written or shown. */
export function createSnapshots(
  engine: Engine<Tables>,
): Pick<ListingStore, 'listSnapshots' | 'saveSnapshot' | 'saveShown'> {
  return {
    async listSnapshots(account_id, listing_pk) {
      const rows = await engine.read((trx) =>
        trx
          .selectFrom('snapshots')
          .select(['shop_id', 'snapshot'])
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('shop_id')
          .execute(),
      );
      return rows.map(({ shop_id, snapshot }) => ({ shop_id, snapshot: fromJson(snapshot) }));
    },
    saveSnapshot: (account_id, listing_pk, snapshot) =>
      engine.write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        await mergeSnapshot(engine, trx, account_id, listing_pk, snapshot);
      }),
    async saveShown(account_id, listing_pk, { shop_id, seen_at, shown }) {
      if (seen_at === null || shown === null) return;
      await engine.write(async (trx) => {
        await lockAccount(engine, trx, account_id);
        const row = await trx
          .selectFrom('snapshots')
          .select('snapshot')
          .where('taken_at', '<=', seen_at)
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .where('shop_id', '=', shop_id)
          .executeTakeFirst();
        if (!row) return;
        const snapshot = withShown(fromJson(row.snapshot), shown);
        await mergeSnapshot(engine, trx, account_id, listing_pk, { shop_id, snapshot });
      });
    },
  };
}

/** Only of a listing without combinations does its price say what its one product costs. */
function withShown(kept: Snapshot['snapshot'], shown: ShownFields): Snapshot['snapshot'] {
  const { listing, inventory, adopted } = kept;
  const [product, ...others] = inventory?.products ?? [];
  const { price, quantity } = shown;
  return {
    ...(listing && { listing: { ...listing, ...shown } }),
    ...(inventory &&
      product &&
      others.length === 0 && { inventory: { ...inventory, products: [{ ...product, price, quantity }] } }),
    adopted: { ...(listing && { listing }), ...(inventory && { inventory }), ...adopted },
  };
}

/**
 * Replaces the parts that the new snapshot has; unless it says otherwise, the saved request has taken these over. Call it with the
 * account's row locked.
 */
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
  const adopted = snapshot.adopted ?? without(kept.adopted, Object.keys(snapshot));
  const values = {
    snapshot: toJson({ ...kept, ...snapshot, adopted }),
    taken_at: await engine.now(trx),
  };
  await trx
    .insertInto('snapshots')
    .values({ account_id, listing_pk, shop_id, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'listing_pk', 'shop_id']).doUpdateSet(values))
    .execute();
}

function without(
  adopted: Snapshot['snapshot']['adopted'] = {},
  parts: readonly string[],
): Snapshot['snapshot']['adopted'] {
  const left = Object.entries(adopted).filter(([part]) => !parts.includes(part));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}
