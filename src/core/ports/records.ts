import type { ListingState as MarketplaceListingState } from './marketplace_listing.js';

/** A shop of an account: whose tokens to use. */
export type ShopRef = { account_id: string; shop_id: number };

/** Bounds of a time that is not known to the second. */
export type TimeRange = { earliest: Date; latest: Date };

/** How far a long piece of work is. */
export type Progress = { done: number; total: number; message: string };

/** A page of a longer list; `total` counts all of it. */
export type Page<T> = { total: number; items: T[] };

/** The marketplace's tokens for a shop; `access_expires_at` in ISO 8601, UTC. */
export type ShopTokens = {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
  scopes: string[];
};

/** A listing's state as the marketplace says it. gone: it knows no such listing any more. */
export type SeenState = MarketplaceListingState | 'gone';
