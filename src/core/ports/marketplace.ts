import type { ApplicationKey } from './store/applications.js';
import type { ShopRef, ShopTokens, TimeRange } from './records.js';
import type { AttributeSchema, VariationPropertySchema } from '../../../schemas/category.js';
import type { CallOptions } from './marketplace_call.js';
import type { ShopCalls } from './shop_calls.js';

/** The result of a seller's consent: the seller, and the tokens to keep. */
export type ShopAccess = {
  user_id: number;
  /** Null if that user has no shop. */
  shop_id: number | null;
  tokens: ShopTokens;
};

export type Category = { category_id: number; name: string; full_path: string[]; is_leaf: boolean };

/** OAuth with the marketplace: how an application gets tokens for a shop. */
export type Consents = {
  /**
   * The page that asks a seller for consent. `state` comes back with the answer; the verifier is sent only as
   * a hash.
   */
  buildConsentUrl(request: { redirect_uri: string; state: string; code_verifier: string }): Promise<string>;
  /**
   * Exchanges the code of a finished consent, which is valid once. Throws `reconnect` for a code that is
   * wrong, used or too old.
   */
  exchangeCode(
    consent: { code: string; code_verifier: string; redirect_uri: string },
    options?: CallOptions,
  ): Promise<ShopAccess>;
  /** The id of the user who owns the shop. */
  getShopOwner(shop_id: number, options?: CallOptions): Promise<number>;
};

/**
 * Everything the core needs from the marketplace. All methods throw MarketplaceError. Each call uses the key
 * of one application and stays within its limits: for a shop, the application that its tokens were issued to;
 * otherwise the installation's own, or one that the account brought. The client retries reads; it sends
 * writes once, except after a 429: then it waits as long as the marketplace asks (Retry-After, shared by all
 * calls of the application) and tries again.
 */
export type Marketplace = ShopCalls & {
  /**
   * The same, but aborting the signal ends the calls for shops: they reject with its reason, including those
   * already sent.
   */
  until(signal: AbortSignal): Marketplace;
  /** Keystring of the installation's own application; undefined if it has none. */
  own_keystring: string | undefined;
  /** Throws `credentials` if the marketplace refuses this key. */
  checkKey(key: ApplicationKey, options?: CallOptions): Promise<void>;
  /** @param key null: the installation's own */
  getConsents(key: ApplicationKey | null): Consents;

  listCategories(account_id: string, options?: CallOptions): Promise<Category[]>;
  /**
   * Throws not_found for an unknown or retired category. A property may serve as attribute, as variation, or
   * as both.
   */
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

  /**
   * Calls per day that the shop's application may make, by the headers of the last answer; undefined before
   * the first answer.
   */
  getDayLimit(shop: ShopRef): Promise<number | undefined>;
  /** The same, with the number of calls left today; undefined before the first answer. */
  getDayCalls(shop: ShopRef): Promise<{ limit: number; remaining: number } | undefined>;
  /**
   * Milliseconds that the marketplace's clock is ahead of ours, by its last answers; 0 before the first
   * answer.
   */
  getClockSkew(): number;
  /**
   * The marketplace's current time, which the times of its listings are based on. Undefined before its first
   * answer.
   */
  findTime(): TimeRange | undefined;
};
