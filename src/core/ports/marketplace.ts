import type { ApplicationKey } from './store/applications.js';
import type { ShopRef, ShopTokens, TimeRange } from './records.js';
import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { CallOptions } from './marketplace_call.js';
import type { ShopCalls } from './shop_calls.js';

/** The result of a seller's consent: the seller, and the tokens to keep. */
export type ShopAccess = {
  user_id: number;
  /** Null when that user has no shop. */
  shop_id: number | null;
  tokens: ShopTokens;
};

export type Category = { category_id: number; name: string; full_path: string[]; is_leaf: boolean };

/** OAuth with the marketplace: how an application gets tokens for a shop. */
export type Consents = {
  /** The page that asks a seller for consent. `state` comes back with the answer; the verifier is sent as a hash only. */
  buildConsentUrl(request: { redirect_uri: string; state: string; code_verifier: string }): Promise<string>;
  /** Trades the code of a finished consent, which is good once. `reconnect` for one that is wrong, used or too old. */
  exchangeCode(
    consent: { code: string; code_verifier: string; redirect_uri: string },
    options?: CallOptions,
  ): Promise<ShopAccess>;
  /** The id of the user who owns the shop. */
  getShopOwner(shop_id: number, options?: CallOptions): Promise<number>;
};

/**
 * Everything the core needs from the marketplace. All methods throw MarketplaceError. Each call is made with the key of one
 * application and within its limits: for a shop, the application that its tokens were given to; else the installation's own, or
 * one that the account has brought. Reads are retried inside; writes are sent once, except after a 429, which the client waits
 * out (Retry-After, shared by all calls of the application) before trying again.
 */
export type Marketplace = ShopCalls & {
  /** The same, with calls for shops that end when the signal does: they reject with its reason, also those that were sent already. */
  until(signal: AbortSignal): Marketplace;
  /** Keystring of the installation's own application; undefined where it has none. */
  own_keystring: string | undefined;
  /** Throws `credentials` when the marketplace refuses this key. */
  checkKey(key: ApplicationKey, options?: CallOptions): Promise<void>;
  /** @param key null: the installation's own */
  getConsents(key: ApplicationKey | null): Consents;

  listCategories(account_id: string, options?: CallOptions): Promise<Category[]>;
  /** Throws not_found for an unknown or retired category. A property may serve as attribute, as variation, or both. */
  getCategoryProperties(
    account_id: string,
    category_id: number,
    options?: CallOptions,
  ): Promise<{ attributes: AttributeSchema[]; variations: VariationPropertySchema[] }>;
  searchActiveListings(
    account_id: string,
    query: { keywords: string; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<{ count: number; results: Record<string, unknown>[] }>;

  /** Calls a day that the shop's application may make, by the last answer's headers; undefined before the first answer. */
  getDayLimit(shop: ShopRef): Promise<number | undefined>;
  /** The same, with the calls that are left today; undefined before the first answer. */
  getDayCalls(shop: ShopRef): Promise<{ limit: number; remaining: number } | undefined>;
  /** Milliseconds that the marketplace's clock is ahead of ours, by its last answers; 0 before the first. */
  getClockSkew(): number;
  /** The marketplace's own time, which its listings' times are in. Undefined before its first answer. */
  findTime(): TimeRange | undefined;
};
