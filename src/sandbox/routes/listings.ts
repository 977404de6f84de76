import {
  describeListing,
  describeWithAssociations,
  SHOP_INCLUDES,
  SINGLE_INCLUDES,
} from '../answers/associations.js';
import type { Include } from '../answers/associations.js';
import { created, NO_CONTENT, ok, toList } from '../requests/call.js';
import type { Call, Route } from '../requests/call.js';
import { parseChoice, parseIds, parsePage, parseTexts, requireFields } from '../requests/fields.js';
import { getListing, getOwnListing, getOwnShop, isOwner } from '../requests/ownership.js';
import { buildRefusal } from '../requests/refusal.js';
import { LISTING_STATES } from '../rules/choices.js';
import { createDraft } from '../rules/create_listing.js';
import { updateListing } from '../rules/update_listing.js';
import { deleteListing, findListing, listListings } from '../store/listings.js';
import type { Listing } from '../store/listings.js';
import { findShop } from '../store/shops.js';
import { describeInventory } from './inventory.js';

const MAX_BATCH = 100;

export const LISTING_ROUTES: readonly Route[] = [
  {
    operation: 'createDraftListing',
    method: 'POST',
    path: '/shops/:shop_id/listings',
    scopes: ['listings_w'],
    body: 'form',
    run: (call) => created(describeListing(call, createDraft(call, getOwnShop(call)), true)),
  },
  {
    operation: 'getListingsByShop',
    method: 'GET',
    path: '/shops/:shop_id/listings',
    scopes: ['listings_r'],
    run: (call) => {
      const shop = getOwnShop(call);
      const state = parseChoice(call.query, 'state', LISTING_STATES) ?? 'active';
      const includes = parseIncludes(call, SHOP_INCLUDES);
      const page = parsePage(call.query);
      const lag_ms = state === 'draft' ? call.settings.draft_list_lag_ms : 0;
      const { count, listings } = listListings(
        call.db,
        ['shop_id = ?', 'state = ?', ...(lag_ms > 0 ? ['created_at <= ?'] : [])],
        [shop.shop_id, state, ...(lag_ms > 0 ? [call.now_ms - lag_ms] : [])],
        page,
      );
      return toList(
        listings.map((listing) => describeWithAssociations(call, listing, includes, true)),
        count,
      );
    },
  },
  {
    operation: 'updateListing',
    method: 'PATCH',
    path: '/shops/:shop_id/listings/:listing_id',
    scopes: ['listings_w'],
    body: 'form',
    run: (call) => {
      const { shop, listing } = getOwnListing(call);
      return ok(describeListing(call, updateListing(call, shop, listing), true));
    },
  },
  {
    operation: 'getListing',
    method: 'GET',
    path: '/listings/:listing_id',
    scopes: [],
    run: (call) => {
      const includes = parseIncludes(call, SINGLE_INCLUDES);
      return ok(describeWithAssociations(call, getListing(call), includes, true));
    },
  },
  {
    operation: 'deleteListing',
    method: 'DELETE',
    path: '/listings/:listing_id',
    scopes: ['listings_d'],
    run: (call) => {
      const { listing } = getOwnListing(call);
      deleteListing(call.db, listing.listing_id);
      return NO_CONTENT;
    },
  },
  {
    operation: 'getListingsByListingIds',
    method: 'GET',
    path: '/listings/batch',
    scopes: [],
    run: (call) => {
      const includes = parseIncludes(call, SINGLE_INCLUDES);
      const found = parseBatchIds(call)
        .flatMap((listing_id) => findListing(call.db, listing_id) ?? [])
        .filter((listing) => isShownInBatch(call, listing));
      return toList(found.map((listing) => describeWithAssociations(call, listing, includes, false)));
    },
  },
  {
    operation: 'getListingsInventoryByListingIds',
    method: 'GET',
    path: '/listings/batch/inventory',
    scopes: ['listings_r'],
    run: (call) =>
      toList(
        getBatch(call).map((listing) => ({
          ...describeWithAssociations(call, listing, [], false),
          inventory: describeInventory(call, listing),
        })),
      ),
  },
];

function parseIncludes<Name extends Include>(call: Call, allowed: readonly Name[]): Name[] {
  return (parseTexts(call.query, 'includes') ?? []).map((text) => {
    const found = allowed.find((name) => name === text);
    if (!found) throw buildRefusal(400, `Invalid value (${text}) for query parameter includes.`);
    return found;
  });
}

function parseBatchIds(call: Call): number[] {
  requireFields(call.query, ['listing_ids']);
  const listing_ids = parseIds(call.query, 'listing_ids') ?? [];
  if (listing_ids.length > MAX_BATCH)
    throw buildRefusal(400, `At most ${MAX_BATCH} listing_ids can be asked for.`);
  return listing_ids;
}

function isShownInBatch(call: Call, listing: Listing): boolean {
  if (listing.state === 'active') return true;
  const shop = findShop(call.db, listing.shop_id);
  return call.settings.batch_shows_inactive && shop !== undefined && isOwner(call, shop);
}

// Here, one unknown id turns the whole call into a 404.
function getBatch(call: Call) {
  return parseBatchIds(call).map((listing_id) => {
    const listing = findListing(call.db, listing_id);
    if (!listing) throw buildRefusal(404, `Could not find the listing ${listing_id}.`);
    return listing;
  });
}
