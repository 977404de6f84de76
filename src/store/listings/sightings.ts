import type { Transaction } from 'kysely';
import type { AgedSighting, ListingStore, SeenListing } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import { fromJson, toJson } from '../json.js';
import type { Tables } from '../schema.js';

/** Sightings: the last state of each listing as the marketplace reported it, and when. */
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
        const now = await engine.now(trx);
        for (const { listing_id, ...seen } of sightings) {
          await updateSeen(trx, seen, { now, age_ms })
            .where('account_id', '=', account_id)
            .where('shop_id', '=', shop_id)
            .where('listing_id', '=', listing_id)
            .execute();
        }
      }),
  };
}

/** Saves a sighting that a job read a while ago. The publication's row must exist. */
export async function saveSighting(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  { account_id, listing_pk, shop_id }: { account_id: string; listing_pk: number; shop_id: number },
  { getAge_ms, ...seen }: AgedSighting,
): Promise<void> {
  await updateSeen(trx, seen, { now: await engine.now(trx), age_ms: getAge_ms() })
    .where('account_id', '=', account_id)
    .where('listing_pk', '=', listing_pk)
    .where('shop_id', '=', shop_id)
    .execute();
}

/**
 * Updates nothing if the listing was seen later. A mark that it may have changed after this sighting stays. A time in the
 * future proves neither: a clock that was ahead wrote it, and was set since.
 */
function updateSeen(
  trx: Transaction<Tables>,
  { state, ends_at, shown }: SeenListing,
  { now, age_ms }: { now: string; age_ms: number },
) {
  const seen_at = shiftTime(now, -Math.ceil(age_ms));
  return trx
    .updateTable('publications')
    .set(({ eb, and, case: choose, ref }) => ({
      state,
      ends_at,
      shown: shown && toJson(shown),
      seen_at,
      stale_since: choose()
        .when(and([eb('stale_since', '>', seen_at), eb('stale_since', '<=', now)]))
        .then(ref('stale_since'))
        .else(null)
        .end(),
    }))
    .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<=', seen_at), eb('seen_at', '>', now)]));
}
