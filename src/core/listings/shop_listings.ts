import type { z } from 'zod/v3';
import type { ShopListing, shopListingsPage, shopListingsQuery } from '../../../schemas/shop_listings.js';
import type { Ports } from '../ports/index.js';
import type { CallOptions, ListingPage, ShopRef } from '../ports/index.js';
import type { Shops } from '../shops/shops.js';
import { foldForSearch, toSearchWords } from '../text/search_words.js';
import { checkSearchWords } from './requests/check_search_words.js';

const PAGE = 100;
/** Reads at most this many pages for keywords, which the marketplace does not support. */
const MOST_PAGES = 20;

/** Lists what a shop has on the marketplace now, whether or not it was created here. */
export type ListShopListings = (
  account_id: string,
  query: z.output<typeof shopListingsQuery>,
  options?: CallOptions,
) => Promise<z.output<typeof shopListingsPage>>;

type Found = { total: number; complete: boolean; results: ListingPage['results'] };

export function createShopListings({
  store,
  marketplace,
  shops,
}: Pick<Ports, 'store' | 'marketplace'> & { shops: Shops }): ListShopListings {
  return async (account_id, { shop_id, state, keywords, limit, offset }, options) => {
    checkSearchWords(keywords);
    const shop = { account_id, shop_id };
    await shops.getUsable(shop);
    const { total, complete, results } =
      keywords === undefined
        ? await readPage(shop, { state, limit, offset }, options)
        : await search(shop, { state, keywords, limit, offset }, options);
    const ids = results.map(({ listing_id }) => listing_id);
    const listing_pks = await store.orders.listListingPks(shop, ids);
    return {
      shop_id: String(shop_id),
      total,
      limit,
      offset,
      complete,
      listings: results.map((listing) => toEntry(listing, listing_pks.get(listing.listing_id) ?? null)),
    };
  };

  async function readPage(
    shop: ShopRef,
    page: Parameters<typeof marketplace.listShopListings>[1],
    options: CallOptions | undefined,
  ): Promise<Found> {
    const { count, results } = await marketplace.listShopListings(shop, page, options);
    return { total: count, complete: true, results };
  }

  async function search(
    shop: ShopRef,
    { state, keywords, limit, offset }: Parameters<typeof readPage>[1] & { keywords: string },
    options: CallOptions | undefined,
  ): Promise<Found> {
    const words = toSearchWords(keywords);
    // A listing created in the meantime moves the others back by one, so one of them may be read twice.
    const matching = new Map<number, ListingPage['results'][number]>();
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const at = { state, limit: PAGE, offset: page * PAGE };
      const { count, results } = await marketplace.listShopListings(shop, at, options);
      for (const listing of results) {
        if (isMatch(listing, words)) matching.set(listing.listing_id, listing);
      }
      if (results.length === 0 || at.offset + PAGE >= count) return build(true);
    }
    return build(false);

    function build(isComplete: boolean): Found {
      const all = [...matching.values()];
      return { total: all.length, complete: isComplete, results: all.slice(offset, offset + limit) };
    }
  }
}

function isMatch({ title, tags, skus }: ListingPage['results'][number], words: readonly string[]): boolean {
  const text = foldForSearch([title, ...tags, ...skus].join('\n'));
  return words.every((word) => text.includes(word));
}

function toEntry(listing: ListingPage['results'][number], listing_pk: number | null): ShopListing {
  const { listing_id, title, state, price, currency_code, quantity, skus, url, images } = listing;
  return {
    listing_id,
    title,
    state,
    price,
    currency_code,
    quantity,
    skus,
    listing_url: url,
    image_url: images[0]?.url_fullxfull ?? null,
    updated_at: toIso(listing.updated_at_epoch_s),
    ends_at: listing.ends_at_epoch_s === null ? null : toIso(listing.ends_at_epoch_s),
    listing_pk,
  };
}

function toIso(epoch_s: number): string {
  return new Date(epoch_s * 1000).toISOString();
}
