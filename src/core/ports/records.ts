import type { ListingState as MarketplaceListingState } from './marketplace_listing.js';

/** A shop of an account: the account whose tokens to use. */
export type ShopRef = { account_id: string; shop_id: number };

/** Bounds of a time that is not known to the second. */
export type TimeRange = { earliest: Date; latest: Date };

/** The progress of a long piece of work. */
export type Progress = { done: number; total: number; message: string };

/** A page of a longer list; `total` counts the whole list. */
export type Page<T> = { total: number; items: T[] };
/** `is_used`: whether a saved listing uses the upload; if missing, all are listed. */
export type UploadsQuery = { limit: number; offset: number; is_used?: boolean };

/** The marketplace's tokens for a shop; `access_expires_at` in ISO 8601, UTC. */
export type ShopTokens = {
  access_token: string;
  refresh_token: string;
  access_expires_at: string;
  scopes: string[];
};

/** A listing's state as the marketplace reports it. gone: the marketplace no longer knows the listing. */
export type SeenState = MarketplaceListingState | 'gone';
