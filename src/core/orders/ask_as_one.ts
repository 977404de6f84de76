import { MarketplaceError, type OrderWatch } from '../ports/index.js';

/**
 * Makes a call with the tokens of an account that has the shop connected; falls back to the next account if
 * the marketplace refuses the tokens or the application of the first. Undefined if no account has the shop
 * connected anymore.
 */
export async function askAsOne<T>(
  listWatches: () => Promise<OrderWatch[]>,
  ask: (shop: OrderWatch, watches: readonly OrderWatch[]) => Promise<T>,
): Promise<T | undefined> {
  const over = new Set<string>();
  let last: MarketplaceError | undefined;
  for (;;) {
    const watches = await listWatches();
    if (watches.length === 0) return undefined;
    const shop = watches.find(({ account_id }) => !over.has(account_id));
    if (!shop) throw last ?? new Error('no account was asked');
    try {
      return await ask(shop, watches);
    } catch (cause) {
      if (!(cause instanceof MarketplaceError) || !OF_THE_ACCOUNT.has(cause.failure)) throw cause;
      over.add(shop.account_id);
      last = cause;
    }
  }
}

const OF_THE_ACCOUNT: ReadonlySet<string> = new Set(['reconnect', 'credentials', 'no_application']);
