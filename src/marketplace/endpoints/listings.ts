import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { ShopRef } from '../../core/ports/records.js';
import type { DraftListing, ListingChanges } from '../../core/ports/marketplace_listing.js';
import type { Call } from '../http/call.js';
import { buildFormBody } from '../http/encode.js';
import { toDetails, toListingWithImages } from '../map/details.js';
import { toChangeFields, toDraftFields, toListing } from '../map/listing.js';
import type { MarketplaceTime } from '../time/marketplace_time.js';
import { OPERATIONS } from './operations.js';
import { listAllPages } from './pages.js';
import * as wire from '../map/wire.js';
import { listing, listingWithImages } from '../map/wire_listing.js';
import { MarketplaceError } from '../../core/ports/marketplace_call.js';

/** The listing itself: create, read, update, activate. */
export function createListings(
  call: Call,
  time: MarketplaceTime,
): Pick<
  ShopCalls,
  | 'createDraftListing'
  | 'getListing'
  | 'getListingDetails'
  | 'listShopListings'
  | 'listListingsById'
  | 'listListings'
  | 'updateListing'
  | 'activateListing'
  | 'takeOffSale'
  | 'writeTranslation'
> {
  return {
    async createDraftListing(shop, draft, options) {
      const created = await sendRenamed(draft, (fields) =>
        call(
          OPERATIONS.createDraftListing,
          { shop, path: { shop_id: shop.shop_id }, body: buildFormBody(toDraftFields(fields)) },
          parseListing,
          options,
        ),
      );
      time.compare(created.created_at_epoch_s);
      return created;
    },
    getListing: (shop, listing_id, options) =>
      call(OPERATIONS.getListing, { shop, path: { listing_id } }, parseListing, options),
    getListingDetails: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListing,
        {
          shop,
          path: { listing_id },
          query: { includes: ['Images', 'Videos', 'Translations', 'Personalization'] },
        },
        (body) => toDetails(parseListing(body), wire.parseWire(wire.listingAssociations, body)),
        options,
      ),
    listShopListings: (shop, { state, limit, offset }, options) =>
      call(
        // Publishing searches for its drafts with the same operation, but a person's request goes first.
        { ...OPERATIONS.getListingsByShop, is_interactive: true },
        { shop, path: { shop_id: shop.shop_id }, query: { state, limit, offset, includes: ['Images'] } },
        (body) => {
          const { count, results } = wire.parseWire(wire.listOf(listingWithImages), body);
          return { count: count ?? offset + results.length, results: results.map(toListingWithImages) };
        },
        options,
      ),
    listListingsById: (shop, listing_ids, options) =>
      call(
        OPERATIONS.getListingsByListingIds,
        { shop, query: { listing_ids } },
        (body) => wire.parseWire(wire.listOf(listing), body).results.map(toListing),
        options,
      ),
    async listListings(shop, state, options) {
      const listings = await listAllPages(
        call,
        OPERATIONS.getListingsByShop,
        { shop, path: { shop_id: shop.shop_id }, query: { state } },
        (body) => wire.parseWire(wire.listOf(listing), body),
        options,
      );
      return [...new Map(listings.map((listing) => [listing.listing_id, toListing(listing)])).values()];
    },
    updateListing: (shop, listing_id, listing_type, changes, options) =>
      sendRenamed(changes, (fields) =>
        call(
          OPERATIONS.updateListing,
          buildUpdate(shop, listing_id, listing_type, fields),
          parseListing,
          options,
        ),
      ),
    activateListing: (shop, listing_id, listing_type, options) =>
      call(
        OPERATIONS.updateListing,
        buildUpdate(shop, listing_id, listing_type, { state: 'active' }),
        parseListing,
        options,
      ),
    takeOffSale: (shop, listing_id, listing_type, options) =>
      call(
        OPERATIONS.updateListing,
        buildUpdate(shop, listing_id, listing_type, { state: 'inactive' }),
        parseListing,
        options,
      ),
    writeTranslation: (shop, listing_id, { language, ...fields }, { exists }, options) =>
      call(
        exists ? OPERATIONS.updateListingTranslation : OPERATIONS.createListingTranslation,
        { shop, path: { shop_id: shop.shop_id, listing_id, language }, body: buildFormBody(fields) },
        () => undefined,
        options,
      ),
  };
}

function buildUpdate(
  shop: ShopRef,
  listing_id: number,
  listing_type: DraftListing['listing_type'],
  changes: ListingChanges | { state: 'active' | 'inactive' },
) {
  const body = buildFormBody(toChangeFields(listing_type, changes));
  return { shop, path: { shop_id: shop.shop_id, listing_id }, body };
}

function parseListing(body: unknown) {
  return toListing(wire.parseWire(listing, body));
}

/** A period that is still open in the year that it ends with. */
const OPEN = /^(20[2-9])0_20[2-9]\d$/;
const OPEN_PERIODS = /\b20\d0_20\d\d\b/g;

/**
 * Sends fields whose when_made may have the name of another year: each January the marketplace renames the
 * current period, without notice and at an unknown hour. If it refuses the name and lists another one for the
 * same period, that one is sent. After such a refusal, nothing has been changed.
 */
async function sendRenamed<Fields extends { when_made?: string | null | undefined }, Result>(
  fields: Fields,
  send: (fields: Fields) => Promise<Result>,
): Promise<Result> {
  try {
    return await send(fields);
  } catch (cause) {
    const when_made = findRenamed(fields.when_made, cause);
    if (when_made === undefined) throw cause;
    return send({ ...fields, when_made });
  }
}

function findRenamed(given: string | null | undefined, cause: unknown): string | undefined {
  const [, decade] = OPEN.exec(given ?? '') ?? [];
  if (decade === undefined || !(cause instanceof MarketplaceError) || cause.failure !== 'refused')
    return undefined;
  if (!cause.fields.includes('when_made')) return undefined;
  return cause.message
    .match(OPEN_PERIODS)
    ?.find((name) => name !== given && name.startsWith(`${decade}0_${decade}`));
}
