import type { ListingHintStore } from '../../core/ports/index.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';
import { markStale } from './refreshes.js';

export function createListingHintRepository(engine: Engine<Tables>): ListingHintStore {
  const { write } = engine;
  return {
    takeHint: ({ webhook_id, shop_id, listing_id }, pause_ms) =>
      write(async (trx) => {
        const owner = await trx
          .selectFrom('publications')
          .innerJoin('shops', (join) =>
            join
              .onRef('shops.account_id', '=', 'publications.account_id')
              .onRef('shops.shop_id', '=', 'publications.shop_id'),
          )
          .select('publications.account_id')
          .where('publications.shop_id', '=', shop_id)
          .where('publications.listing_id', '=', listing_id)
          .executeTakeFirst();
        if (!owner) return 'ignored';
        const now = await engine.now(trx);
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('listing_hints')
          .values({ webhook_id, received_at: now })
          .onConflict((conflict) => conflict.column('webhook_id').doNothing())
          .executeTakeFirstOrThrow();
        if (Number(numInsertedOrUpdatedRows) === 0) return 'known';
        await markStale(engine, trx, { shop_id, listing_ids: [listing_id], pause_ms });
        return 'taken';
      }),
    async sweepHints(age_ms) {
      const { numDeletedRows } = await write(async (trx) =>
        trx
          .deleteFrom('listing_hints')
          .where('received_at', '<', shiftTime(await engine.now(trx), -age_ms))
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}
