import { MarketplaceError, type ShopRef } from '../core/ports/marketplace.js';
import type { ShopTokens, TokenStore } from '../core/ports/store.js';
import type { Clock, Log } from '../core/ports/world.js';
import { untilAborted } from './http.js';
import type { TokenOutcome } from './oauth.js';

/** Sooner than this before its end a token is not used any more: a call can take so long to arrive. */
const MARGIN_MS = 60_000;

export type Tokens = {
  /** A token to send. Throws MarketplaceError `reconnect` when there is no grant. */
  getAccessToken(shop: ShopRef, signal?: AbortSignal): Promise<string>;
  /** Another token than one that was refused. */
  replaceAccessToken(shop: ShopRef, refused: string, signal?: AbortSignal): Promise<string>;
  /** Waits for refreshes under way, whose new tokens would be lost otherwise. */
  close(): Promise<void>;
};

/**
 * The shops' tokens. A refresh ends the refresh token it was made with; so there is one at a time for each shop, over all
 * processes, and its outcome is committed before anyone uses it. It goes on when those who waited for it have left.
 */
export function createTokens(options: {
  store: TokenStore;
  clock: Clock;
  log: Log;
  refresh: (tokens: ShopTokens) => Promise<TokenOutcome>;
}): Tokens {
  const { store, clock, log } = options;
  const running = new Map<string, Promise<string>>();

  function replace(shop: ShopRef, refused: string): Promise<string> {
    const key = `${shop.account_id}/${shop.shop_id}`;
    const shared = running.get(key);
    if (shared) return shared;
    const run = store
      .withRefreshLock(shop, () => refreshOnce(shop, refused))
      .finally(() => running.delete(key));
    running.set(key, run);
    return run;
  }

  async function refreshOnce(shop: ShopRef, refused: string): Promise<string> {
    const stored = await getStored(shop);
    // Whoever had the lock before may have done it already.
    if (stored.access_token !== refused) return stored.access_token;
    const outcome = await options.refresh(stored);
    if (outcome.outcome === 'tokens') {
      await store.saveTokens(shop, { ...outcome.tokens, scopes: stored.scopes });
      log.debug('marketplace tokens refreshed', { shop_id: shop.shop_id });
      return outcome.tokens.access_token;
    }
    if (outcome.outcome === 'invalid_grant') return endGrant(shop, stored, outcome.error);
    throw outcome.error;
  }

  async function endGrant(shop: ShopRef, used: ShopTokens, error: MarketplaceError): Promise<string> {
    const stored = await store.findTokens(shop);
    // A process whose lock ran out was quicker, or the seller has connected the shop anew: that grant is not the one that ended.
    if (stored && stored.refresh_token !== used.refresh_token) return stored.access_token;
    await store.markReconnectRequired(shop);
    log.warn('the marketplace ended the grant of a shop', {
      shop_id: shop.shop_id,
      etsy_request_uuid: error.request_id,
    });
    throw error;
  }

  async function getStored(shop: ShopRef): Promise<ShopTokens> {
    const stored = await store.findTokens(shop);
    if (stored) return stored;
    throw new MarketplaceError('reconnect', 'no tokens are kept for this shop');
  }

  return {
    async getAccessToken(shop, signal) {
      const { access_token, access_expires_at } = await getStored(shop);
      const isUsable = Date.parse(access_expires_at) - clock.now().getTime() > MARGIN_MS;
      return isUsable ? access_token : untilAborted(replace(shop, access_token), signal);
    },
    replaceAccessToken: (shop, refused, signal) => untilAborted(replace(shop, refused), signal),
    async close() {
      await Promise.allSettled(running.values());
    },
  };
}
