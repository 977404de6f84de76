import {
  TokensHeldError,
  type Clock,
  type Ids,
  type Log,
  type ShopRef,
  type TokenStore,
} from '../core/ports/index.js';
import type { Database } from './database.js';
import type { Presence } from './engine/sqlite/presence.js';

const POLL_MS = 50;
/** As long as the token endpoint has for its answer. */
const PATIENCE_MS = 60_000;
const RELEASE_PAUSE_MS = 1000;

export type RefreshLock = {
  withRefreshLock: TokenStore['withRefreshLock'];
  /** What could not be let go yet is let go with the process. */
  close(): void;
};

/**
 * A row per shop that names a process. It holds for as long as the process lives, and no longer: one that sleeps, or has tokens that
 * it cannot save yet, may have the only pair that is good, and one that is gone has none. Not reentrant.
 */
export function createRefreshLock(
  database: Database,
  presence: Presence,
  { clock, ids, log }: { clock: Clock; ids: Ids; log: Log },
): RefreshLock {
  const owner = ids.build('refresh_');
  /** Shops that this process holds, or is about to. */
  const held = new Set<string>();
  const closing = new AbortController();

  async function acquire(shop: ShopRef): Promise<void> {
    const until = clock.monotonic() + PATIENCE_MS;
    for (;;) {
      let cause: unknown;
      // A file that is full or locked now may be neither in a moment.
      if (await tryAcquire(shop).catch((error: unknown) => void (cause = error))) return;
      if (clock.monotonic() >= until) throw new TokensHeldError(shop.shop_id, { cause });
      await clock.sleep(POLL_MS);
    }
  }

  async function tryAcquire(shop: ShopRef): Promise<boolean> {
    const key = toKey(shop);
    if (held.has(key)) return false;
    held.add(key);
    let is_ours = false;
    try {
      presence.announce(owner);
      is_ours = await take(shop);
    } finally {
      if (!is_ours) held.delete(key);
    }
    return is_ours;
  }

  async function take({ account_id, shop_id }: ShopRef): Promise<boolean> {
    const row = await database.db
      .selectFrom('refresh_locks')
      .select('owner')
      .where('account_id', '=', account_id)
      .where('shop_id', '=', shop_id)
      .executeTakeFirst();
    // Its own is one that it could not let go of.
    if (row && row.owner !== owner && presence.isPresent(row.owner)) return false;
    const result = await database.write((trx) =>
      trx
        .insertInto('refresh_locks')
        .values({ account_id, shop_id, owner })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'shop_id'])
            .doUpdateSet({ owner })
            .where('refresh_locks.owner', '=', row?.owner ?? owner),
        )
        .executeTakeFirst(),
    );
    return result.numInsertedOrUpdatedRows === 1n;
  }

  /** Never throws; goes on in the background when it cannot be done at once. */
  async function release(shop: ShopRef): Promise<void> {
    if (await tryRelease(shop)) return;
    void (async () => {
      do await clock.sleep(RELEASE_PAUSE_MS, closing.signal);
      while (!closing.signal.aborted && !(await tryRelease(shop)));
    })().catch(() => undefined);
  }

  async function tryRelease(shop: ShopRef): Promise<boolean> {
    const { account_id, shop_id } = shop;
    try {
      await database.write((trx) =>
        trx
          .deleteFrom('refresh_locks')
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('owner', '=', owner)
          .execute(),
      );
    } catch (error) {
      log.warn('the lock on the tokens of a shop could not be let go yet', { shop_id, error });
      return false;
    }
    held.delete(toKey(shop));
    return true;
  }

  return {
    async withRefreshLock(shop, refresh) {
      await acquire(shop);
      try {
        return await refresh();
      } finally {
        await release(shop);
      }
    },
    close: () => closing.abort(),
  };
}

function toKey({ account_id, shop_id }: ShopRef): string {
  return `${account_id}/${shop_id}`;
}
