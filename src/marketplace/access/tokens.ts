import { MarketplaceError } from '../../core/ports/marketplace_call.js';
import type { ShopRef } from '../../core/ports/records.js';
import { TokensHeldError, type TokenStore } from '../../core/ports/store/store.js';
import type { ShopTokens } from '../../core/ports/records.js';
import type { Clock, Log } from '../../core/ports/world.js';
import { createSharedRuns } from '../../core/shared_runs.js';
import { untilAborted } from '../../core/async/until_aborted.js';
import type { TokenOutcome } from './oauth.js';
import { createUnsavedTokens } from './unsaved_tokens.js';

/** A token that expires within this time is not used, since a call may take that long to arrive. */
const MARGIN_MS = 60_000;

export type Tokens = {
  /**
   * Returns a token to send. Throws MarketplaceError `reconnect` if there are none, or the marketplace has
   * revoked them.
   */
  getAccessToken(shop: ShopRef, signal?: AbortSignal): Promise<string>;
  /** Returns a token other than the refused one. */
  replaceAccessToken(shop: ShopRef, refused: string, signal?: AbortSignal): Promise<string>;
  /** Shops whose new tokens are only in this process's memory, since they could not be saved yet. */
  countUnsaved(): number;
  /**
   * Rejects with this reason the calls that wait for another process's refresh, and later ones that need a
   * refresh.
   */
  turnAway(reason: Error): void;
  /** Waits for running refreshes, whose new tokens would be lost otherwise. Call it after `turnAway`. */
  close(): Promise<void>;
};

/**
 * The shops' tokens. A refresh revokes the refresh token it was made with. So only one runs at a time for
 * each shop, across all processes, and its result is committed before a call uses it; if it cannot be
 * committed, this process uses it while other processes wait until it is. A refresh continues even if the
 * calls that waited for it are canceled.
 */
export function createTokens(options: {
  store: TokenStore;
  clock: Clock;
  log: Log;
  refresh: (tokens: ShopTokens) => Promise<TokenOutcome>;
}): Tokens {
  const { store, clock, log } = options;
  const unsaved = createUnsavedTokens(options);
  const share = createSharedRuns<string>();
  /** Locks that are held or waited for. */
  const locks = new Set<Promise<void>>();
  const closing = new AbortController();

  function replace(shop: ShopRef, refused: string): Promise<string> {
    const fresh = unsaved.find(shop);
    if (fresh && fresh.access_token !== refused) return Promise.resolve(fresh.access_token);
    return share(`${shop.account_id}/${shop.shop_id}`, () => refreshLocked(shop, refused));
  }

  /** Resolves when there is a token to use; if that token is not saved by then, the lock is held for longer. */
  function refreshLocked(shop: ShopRef, refused: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const lock = store
        .withRefreshLock(
          shop,
          async () => {
            resolve(await refreshOnce(shop, refused));
            await unsaved.whenSaved(shop);
          },
          closing.signal,
        )
        .catch((cause: unknown) => {
          const isHeld = cause instanceof TokensHeldError;
          reject(isHeld ? new MarketplaceError('unavailable', cause.message, { cause }) : cause);
        })
        .finally(() => locks.delete(lock));
      locks.add(lock);
    });
  }

  async function refreshOnce(shop: ShopRef, refused: string): Promise<string> {
    const stored = await getStored(shop);
    // The previous holder of the lock may have refreshed it already.
    if (stored.access_token !== refused) return stored.access_token;
    const outcome = await options.refresh(stored);
    if (outcome.outcome === 'tokens') {
      await unsaved.save(shop, stored, { ...outcome.tokens, scopes: stored.scopes });
      return (await getCurrent(shop)).access_token;
    }
    if (outcome.outcome === 'invalid_grant') return endAccess(shop, stored, outcome.error);
    throw outcome.error;
  }

  async function endAccess(shop: ShopRef, used: ShopTokens, error: MarketplaceError): Promise<string> {
    const stored = await store.findTokens(shop);
    // The seller has reconnected the shop: the new tokens are not the ones that were revoked.
    if (stored && stored.refresh_token !== used.refresh_token) return stored.access_token;
    await store.markReconnectRequired(shop);
    log.warn('the marketplace revoked the grant of a shop', {
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

  async function getCurrent(shop: ShopRef): Promise<ShopTokens> {
    return unsaved.find(shop) ?? getStored(shop);
  }

  return {
    async getAccessToken(shop, signal) {
      const { access_token, access_expires_at } = await getCurrent(shop);
      const isUsable = Date.parse(access_expires_at) - clock.now().getTime() > MARGIN_MS;
      return isUsable ? access_token : untilAborted(replace(shop, access_token), signal);
    },
    replaceAccessToken: (shop, refused, signal) => untilAborted(replace(shop, refused), signal),
    countUnsaved: unsaved.count,
    turnAway: (reason) => closing.abort(reason),
    async close() {
      unsaved.close();
      await Promise.all(locks);
    },
  };
}
