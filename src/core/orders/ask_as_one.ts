import { MarketplaceError, type OrderWatch } from '../ports/index.js';

/**
 * Makes a call with the tokens of one account that has the shop connected; of another account where the tokens of the first, or its
 * application, are refused. Undefined where no account has the shop connected any more.
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
