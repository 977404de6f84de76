import { setMaxListeners } from 'node:events';
import {
  TokensHeldError,
  type Clock,
  type Log,
  type ShopRef,
  type TokenStore,
} from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import type { Tables } from '../schema.js';

const POLL_MS = 50;
/** How long a claim waits for the lock: as long as the token endpoint may take to answer. */
const CLAIM_TIMEOUT_MS = 60_000;
const RELEASE_PAUSE_MS = 1000;

export type RefreshLock = {
  withRefreshLock: TokenStore['withRefreshLock'];
  /** Ends waiting for locks. A lock that could not be released yet is released with the process. */
  close(): void;
};

/**
 * The lock for refreshing a shop's tokens: a row per shop that names the process which holds it. It does not expire. It holds
 * as long as that process lives: a process that sleeps, or cannot save its new tokens yet, may have the only valid pair; one
 * that is gone has none. Not reentrant.
 */
export function createRefreshLock(
  { read, write, isAlive, instance }: Engine<Tables>,
  { clock, log }: { clock: Clock; log: Log },
): RefreshLock {
  /**
   * Shops whose lock this process holds or is claiming. If a row names this process but the shop is not here, a claim or
   * release has failed, and the lock may be claimed again.
   */
  const held = new Set<string>();
  const closing = new AbortController();
  // Every waiting call adds a listener, so many listeners do not mean a leak.
  setMaxListeners(0, closing.signal);

  /** Waits for the lock, and returns the fence of the claim. Rejects with TokensHeldError, or the signal's reason. */
  async function claim(shop: ShopRef, signal: AbortSignal): Promise<number> {
    const until = clock.monotonic() + CLAIM_TIMEOUT_MS;
    for (;;) {
      signal.throwIfAborted();
      let cause: unknown;
      // Tries again after an error of the store: a full disk or a locked database may only last a moment.
      const fence = await tryClaim(shop).catch((error: unknown) => void (cause = error));
      if (fence !== undefined) return fence;
      if (clock.monotonic() >= until) throw new TokensHeldError(shop.shop_id, { cause });
      await clock.sleep(POLL_MS, signal);
    }
  }

  async function tryClaim(shop: ShopRef): Promise<number | undefined> {
    const name = toName(shop);
    if (held.has(name)) return undefined;
    held.add(name);
    let fence: number | undefined;
    try {
      fence = await claimRow(shop);
    } finally {
      if (fence === undefined) held.delete(name);
    }
    return fence;
  }

  async function claimRow({ account_id, shop_id }: ShopRef): Promise<number | undefined> {
    const owner = await findOwner({ account_id, shop_id });
    if (owner !== null && owner !== instance && (await isAlive(owner))) return undefined;
    return write(async (trx) => {
      const claimed = await trx
        .insertInto('refresh_locks')
        .values({ account_id, shop_id, owner: instance, fence: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'shop_id'])
            .doUpdateSet((eb) => ({ owner: instance, fence: eb('refresh_locks.fence', '+', 1) }))
            .where((eb) =>
              eb.or([eb('refresh_locks.owner', 'is', null), eb('refresh_locks.owner', '=', owner)]),
            ),
        )
        .returning('fence')
        .executeTakeFirst();
      return claimed?.fence;
    });
  }

  async function findOwner({ account_id, shop_id }: ShopRef): Promise<string | null> {
    const row = await read((trx) =>
      trx
        .selectFrom('refresh_locks')
        .select('owner')
        .where('account_id', '=', account_id)
        .where('shop_id', '=', shop_id)
        .executeTakeFirst(),
    );
    return row?.owner ?? null;
  }

  /** Never throws. If the release fails, it is retried in the background. */
  async function release(shop: ShopRef, fence: number): Promise<void> {
    held.delete(toName(shop));
    if (await tryRelease(shop, fence)) return;
    void (async () => {
      do await clock.sleep(RELEASE_PAUSE_MS, closing.signal);
      while (!closing.signal.aborted && !(await tryRelease(shop, fence)));
    })().catch(() => undefined);
  }

  async function tryRelease({ account_id, shop_id }: ShopRef, fence: number): Promise<boolean> {
    try {
      await write((trx) =>
        trx
          .updateTable('refresh_locks')
          .set({ owner: null })
          .where('account_id', '=', account_id)
          .where('shop_id', '=', shop_id)
          .where('fence', '=', fence)
          .execute(),
      );
      return true;
    } catch (error) {
      log.warn('the lock on the tokens of a shop could not be let go yet', { shop_id, error });
      return false;
    }
  }

  return {
    async withRefreshLock(shop, refresh, signal) {
      const ends = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      const fence = await claim(shop, ends);
      try {
        return await refresh();
      } finally {
        await release(shop, fence);
      }
    },
    close: () => closing.abort(new Error('the store is closing')),
  };
}

function toName({ account_id, shop_id }: ShopRef): string {
  return `${account_id}/${shop_id}`;
}
