import type { Transaction } from 'kysely';
import type { AgedSighting, ListingStore, SeenListing } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Sightings: the last state of each listing as the marketplace said it, and when. */
export function createSightings(
  engine: Engine<Tables>,
): Pick<ListingStore, 'listSightings' | 'saveSightings'> {
  return {
    async listSightings(account_id, listing_pk) {
      const rows = await engine.read((trx) =>
        trx
          .selectFrom('publications')
          .select(['shop_id', 'listing_id', 'state', 'seen_at', 'ends_at', 'shown'])
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('shop_id')
          .execute(),
      );
      return rows.map(({ shown, ...row }) => ({ ...row, shown: shown && fromJson(shown) }));
    },
    saveSightings: ({ account_id, shop_id }, sightings, age_ms) =>
      engine.write(async (trx) => {
        const seen_at = shiftTime(await engine.now(trx), -Math.ceil(age_ms));
        for (const { listing_id, ...seen } of sightings) {
          await updateSeen(trx, seen, seen_at)
            .where('account_id', '=', account_id)
            .where('shop_id', '=', shop_id)
            .where('listing_id', '=', listing_id)
            .execute();
        }
      }),
  };
}

/** Saves a sighting that a job has read a while ago. The publication's row has to exist. */
export async function saveSighting(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  { account_id, listing_pk, shop_id }: { account_id: string; listing_pk: number; shop_id: number },
  { getAge_ms, ...seen }: AgedSighting,
): Promise<void> {
  const seen_at = shiftTime(await engine.now(trx), -Math.ceil(getAge_ms()));
  await updateSeen(trx, seen, seen_at)
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('shop_id', '=', shop_id)
    .execute();
}

/** Updates nothing when the listing was seen later. A mark that it may have changed after this sighting stays. */
function updateSeen(trx: Transaction<Tables>, { state, ends_at, shown }: SeenListing, seen_at: string) {
  return trx
    .updateTable('publications')
    .set(({ case: choose, ref }) => ({
      state,
      ends_at,
      shown: shown && toJson(shown),
      seen_at,
      stale_since: choose().when('stale_since', '>', seen_at).then(ref('stale_since')).else(null).end(),
    }))
    .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<=', seen_at)]));
}
