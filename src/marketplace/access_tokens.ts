import { MarketplaceError, type ShopRef, type ShopTokens, type TokenStore } from '../core/ports/index.js';
import { refreshTokens, type OAuthOptions } from './oauth.js';

/** A token that ends within this time is renewed before it is used. */
const EARLY_MS = 60_000;

export type AccessTokens = {
  /** A token that is good now. Throws MarketplaceError `reconnect` when the shop has none or its grant is gone. */
  get(shop: ShopRef): Promise<string>;
  /** Another one, after the marketplace has refused this one. */
  replace(shop: ShopRef, refused: string): Promise<string>;
};

/**
 * Refresh tokens rotate and a second refresh loses the pair; so there is one refresh at a time per shop, in this process by
 * sharing the promise, over processes by the store's lock. The new pair is saved before it is used.
 */
export function createAccessTokens(options: OAuthOptions & { tokens: TokenStore }): AccessTokens {
  const { tokens, clock } = options;
  const running = new Map<string, Promise<string>>();

  function renew(shop: ShopRef, isStale: (stored: ShopTokens) => boolean): Promise<string> {
    const key = `${shop.account_id}/${shop.shop_id}`;
    const shared = running.get(key);
    if (shared) return shared;
    const run = tokens
      .withRefreshLock(shop, async () => {
        const stored = await getTokens(shop);
        // Another process may have renewed it while this one waited for the lock.
        if (!isStale(stored)) return stored.access_token;
        try {
          const renewed = await refreshTokens(options, stored);
          await tokens.saveTokens(shop, renewed);
          return renewed.access_token;
        } catch (cause) {
          if (cause instanceof MarketplaceError && cause.failure === 'reconnect')
            await tokens.markReconnectRequired(shop);
          throw cause;
        }
      })
      .finally(() => running.delete(key));
    running.set(key, run);
    return run;
  }

  async function getTokens(shop: ShopRef): Promise<ShopTokens> {
    const stored = await tokens.findTokens(shop);
    if (!stored) throw new MarketplaceError('reconnect', `shop ${shop.shop_id} has no tokens here`);
    return stored;
  }

  function isEnding({ access_expires_at }: ShopTokens): boolean {
    return Date.parse(access_expires_at) - clock.now().getTime() < EARLY_MS;
  }

  return {
    async get(shop) {
      const stored = await getTokens(shop);
      return isEnding(stored) ? renew(shop, isEnding) : stored.access_token;
    },
    replace: (shop, refused) => renew(shop, ({ access_token }) => access_token === refused),
  };
}
