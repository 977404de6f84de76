import type { ListingStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** What the marketplace last said of each listing, and when. */
export function createSightings(
  engine: Engine<Tables>,
): Pick<ListingStore, 'listSightings' | 'saveSightings'> {
  return {
    listSightings: (account_id, listing_pk) =>
      engine.read((trx) =>
        trx
          .selectFrom('publications')
          .select(['shop_id', 'state', 'seen_at', 'ends_at'])
          .where('account_id', '=', account_id)
          .where('listing_pk', '=', listing_pk)
          .orderBy('shop_id')
          .execute(),
      ),
    saveSightings: ({ account_id, shop_id }, sightings, age_ms) =>
      engine.write(async (trx) => {
        const seen_at = shiftTime(await engine.now(trx), -Math.ceil(age_ms));
        for (const { listing_id, state, ends_at } of sightings) {
          await trx
            .updateTable('publications')
            .set(({ case: choose, ref }) => ({
              state,
              seen_at,
              ends_at,
              stale_since: choose()
                .when('stale_since', '>', seen_at)
                .then(ref('stale_since'))
                .else(null)
                .end(),
            }))
            .where('account_id', '=', account_id)
            .where('shop_id', '=', shop_id)
            .where('listing_id', '=', listing_id)
            .where((eb) => eb.or([eb('seen_at', 'is', null), eb('seen_at', '<=', seen_at)]))
            .execute();
        }
      }),
  };
}
