import { sql, type Transaction } from 'kysely';
import {
  ClaimLostError,
  type RefreshClaim,
  type RefreshStore,
  type ShopRef,
} from '../../core/ports/index.js';
import { getDueIn, isDue, isFree, listGone, RELEASED, toClaimed } from '../engine/claims.js';
import { shiftTime, type Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

/** Which process reads a shop's managed listings again, and when. */
export function createRefreshRepository(engine: Engine<Tables>): RefreshStore {
  const { read, write } = engine;

  return {
    listRefreshes: () =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('shops')
          .innerJoin('shop_tokens', (join) =>
            join
              .onRef('shop_tokens.account_id', '=', 'shops.account_id')
              .onRef('shop_tokens.shop_id', '=', 'shops.shop_id'),
          )
          .leftJoin('listing_looks', (join) =>
            join
              .onRef('listing_looks.account_id', '=', 'shops.account_id')
              .onRef('listing_looks.shop_id', '=', 'shops.shop_id'),
          )
          .select([
            'shops.account_id',
            'shops.shop_id',
            'shop_tokens.keystring',
            'listing_looks.next_at',
            'listing_looks.looked_at',
          ])
          .where('shops.is_reconnect_required', '=', 0)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('publications')
                .select('publications.listing_id')
                .whereRef('publications.account_id', '=', 'shops.account_id')
                .whereRef('publications.shop_id', '=', 'shops.shop_id')
                .where('publications.listing_id', 'is not', null),
            ),
          )
          .execute();
        const now = await engine.now(trx);
        return rows.map(({ account_id, shop_id, keystring, ...times }) => ({
          account_id,
          shop_id,
          keystring,
          due_in_ms: getDueIn(times, now),
        }));
      }),
    async claimRefresh(shop, for_ms) {
      const { account_id, shop_id } = shop;
      const found = await read((trx) =>
        trx
          .selectFrom('listing_looks')
          .select('claimed_by')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .executeTakeFirst(),
      );
      const gone = await listGone(engine, [found?.claimed_by]);
      return write(async (trx) => {
        await addRefresh(trx, shop);
        const now = await engine.now(trx);
        const claimed = await trx
          .updateTable('listing_looks')
          .set(toClaimed(engine, now, for_ms))
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where(isFree(now, gone))
          .where(isDue(now))
          .returning(['fence', 'whole_at', 'looked_at'])
          .executeTakeFirst();
        if (!claimed) return undefined;
        const { fence, whole_at, looked_at } = claimed;
        const isWhole = getDueIn({ next_at: whole_at, looked_at }, now) === 0;
        return { account_id, shop_id, fence, is_whole: isWhole };
      });
    },
    renewRefresh: (claim, for_ms) =>
      write(async (trx) => {
        const now = await engine.now(trx);
        const { numUpdatedRows } = await trx
          .updateTable('listing_looks')
          .set({ claimed_until: shiftTime(now, for_ms) })
          .where('account_id', '=', claim.account_id)
          .where('shop_id', '=', claim.shop_id)
          .where('fence', '=', claim.fence)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) return;
        throw new ClaimLostError(`Another process reads the listings of shop ${claim.shop_id}.`);
      }),
    finishRefresh: (claim, { whole_in_ms, pause_ms }) =>
      write((trx) => finish(trx, claim, whole_in_ms, pause_ms)),
    listManaged: ({ account_id, shop_id }, { is_stale }) =>
      read(async (trx) => {
        const rows = await trx
          .selectFrom('publications')
          .innerJoin('listings', (join) =>
            join
              .onRef('listings.account_id', '=', 'publications.account_id')
              .onRef('listings.listing_pk', '=', 'publications.listing_pk'),
          )
          // JSON escapes quotation marks in values, so this is the name of a member.
          .select([
            'publications.listing_id',
            'publications.state',
            sql`listings.request LIKE '%"variations":{%'`.as('is_varied'),
          ])
          .where('publications.account_id', '=', account_id)
          .where('publications.shop_id', '=', shop_id)
          .where('publications.listing_id', 'is not', null)
          .$if(is_stale, (query) => query.where('publications.stale_since', 'is not', null))
          .orderBy('publications.listing_id')
          .execute();
        return rows.flatMap(({ listing_id, state, is_varied }) =>
          listing_id === null ? [] : [{ listing_id, state, is_varied: Boolean(is_varied) }],
        );
      }),
    async markStale(shop_id, listing_ids, pause_ms) {
      if (listing_ids?.length === 0) return;
      await write((trx) => markStale(engine, trx, { shop_id, listing_ids, pause_ms }));
    },
  };

  async function finish(
    trx: Transaction<Tables>,
    { account_id, shop_id, fence }: RefreshClaim,
    whole_in_ms: number | undefined,
    pause_ms: number | undefined,
  ): Promise<void> {
    // Locked before the stale listings are read: a listing that is marked in the meantime is marked after this, and brings
    // the next check forward.
    const claimed = await engine
      .lockRows(
        trx
          .selectFrom('listing_looks')
          .select('whole_at')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('fence', '=', fence),
      )
      .executeTakeFirst();
    if (!claimed) return;
    const now = await engine.now(trx);
    const whole_at = whole_in_ms === undefined ? claimed.whole_at : shiftTime(now, whole_in_ms);
    const paused_until = pause_ms === undefined ? undefined : shiftTime(now, pause_ms);
    // Listings that changed since they were read are due at once.
    const next_at = paused_until ?? ((await hasStale(trx, account_id, shop_id)) ? null : whole_at);
    await trx
      .updateTable('listing_looks')
      .set({ whole_at, next_at, looked_at: now, ...RELEASED })
      .where('account_id', '=', account_id)
      .where('shop_id', '=', shop_id)
      .where('fence', '=', fence)
      .execute();
  }
}

/** For every account that manages the listings. */
export async function markStale(
  engine: Engine<Tables>,
  trx: Transaction<Tables>,
  {
    shop_id,
    listing_ids,
    pause_ms,
  }: {
    shop_id: number;
    /** Left out: all listings of the shop. */
    listing_ids: readonly number[] | undefined;
    /** They are read again after this pause. */
    pause_ms: number;
  },
): Promise<void> {
  const now = await engine.now(trx);
  const marked = await trx
    .updateTable('publications')
    .set({ stale_since: now })
    .where('shop_id', '=', shop_id)
    .where('listing_id', 'is not', null)
    .$if(listing_ids !== undefined, (query) => query.where('listing_id', 'in', listing_ids ?? []))
    .returning('account_id')
    .execute();
  const soon = shiftTime(now, pause_ms);
  for (const account_id of new Set(marked.map((row) => row.account_id))) {
    await addRefresh(trx, { account_id, shop_id });
    // Done in any case, so that a check which ends now waits until the marks are visible.
    await trx
      .updateTable('listing_looks')
      .set(({ case: choose, ref }) => ({
        next_at: choose().when('next_at', '>', soon).then(soon).else(ref('next_at')).end(),
      }))
      .where('account_id', '=', account_id)
      .where('shop_id', '=', shop_id)
      .execute();
  }
}

async function addRefresh(trx: Transaction<Tables>, { account_id, shop_id }: ShopRef): Promise<void> {
  await trx
    .insertInto('listing_looks')
    .values({
      account_id,
      shop_id,
      ...RELEASED,
      fence: 0,
      next_at: null,
      looked_at: null,
      whole_at: null,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'shop_id']).doNothing())
    .execute();
}

async function hasStale(trx: Transaction<Tables>, account_id: string, shop_id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('publications')
    .select('listing_id')
    .where('account_id', '=', account_id)
    .where('shop_id', '=', shop_id)
    .where('stale_since', 'is not', null)
    .where('listing_id', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
