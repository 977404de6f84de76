import type { ListingState as MarketplaceListingState } from './marketplace_listing.js';

/** A shop of an account: whose tokens to use. */
export type ShopRef = { account_id: string; shop_id: number };

/** What time it can be, where it is not known to the second. */
export type TimeRange = { earliest: Date; latest: Date };

/** A page of a longer list; `total` counts all of it. */
export type Page<T> = { total: number; items: T[] };

/** What the marketplace gave for a shop; `access_expires_at` in ISO 8601, UTC. */
export type ShopTokens = {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
  scopes: string[];
};

/** What the marketplace says a listing is. gone: it knows no such listing any more. */
export type SeenState = MarketplaceListingState | 'gone';
