import type { ShopRef } from '../../core/ports/records.js';
import type { TokenStore } from '../../core/ports/store/store.js';
import type { ShopTokens } from '../../core/ports/records.js';
import type { Clock, Log } from '../../core/ports/world.js';

const PAUSE_MS = 1_000;
/** How long a stopping process waits for a database that is full or locked. */
const LAST_MS = 5_000;

/**
 * New token pairs that could not be saved yet. Their refresh revoked the previous pair, so they are the
 * shop's only valid tokens.
 */
type UnsavedTokens = {
  /**
   * Resolves after the first attempt to save; if that failed, the pair is kept here, and saving is retried
   * until it succeeds. Never throws.
   */
  save(shop: ShopRef, used: ShopTokens, fresh: ShopTokens): Promise<void>;
  /** The tokens to use instead of the stored ones. Starts another attempt to save them. */
  find(shop: ShopRef): ShopTokens | undefined;
  /** Resolves when nothing of the shop is left to be saved, or the process stops. */
  whenSaved(shop: ShopRef): Promise<void>;
  count(): number;
  /** Tokens that cannot be saved within five seconds are lost, and the loss is logged. */
  close(): void;
};

type Unsaved = { fresh: ShopTokens; saved: Promise<void>; wake: () => void };

export function createUnsavedTokens(options: {
  store: Pick<TokenStore, 'renewTokens'>;
  clock: Clock;
  log: Log;
}): UnsavedTokens {
  const { store, clock, log } = options;
  const kept = new Map<string, Unsaved>();
  let given_up_at = Infinity;

  /** Returns the error; undefined on success. */
  async function trySave(shop: ShopRef, used: ShopTokens, fresh: ShopTokens): Promise<unknown> {
    const { shop_id } = shop;
    try {
      if (await store.renewTokens(shop, used, fresh)) log.debug('marketplace tokens refreshed', { shop_id });
      else log.warn('new tokens dropped: the shop has other tokens or none', { shop_id });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  function keep(shop: ShopRef, used: ShopTokens, fresh: ShopTokens): void {
    let pause = new AbortController();
    const goOn = async (): Promise<void> => {
      let failed: unknown;
      do {
        pause = new AbortController();
        await clock.sleep(PAUSE_MS, pause.signal).catch(() => undefined);
        failed = await trySave(shop, used, fresh);
      } while (failed !== undefined && clock.monotonic() < given_up_at);
      const { shop_id } = shop;
      if (failed === undefined) {
        kept.delete(toKey(shop));
        log.info('new tokens of a shop saved after a retry', { shop_id });
      } else {
        log.error('new tokens of a shop lost: it must be reconnected', {
          shop_id,
          error: failed,
        });
      }
    };
    kept.set(toKey(shop), { fresh, saved: goOn(), wake: () => pause.abort() });
  }

  return {
    async save(shop, used, fresh) {
      const error = await trySave(shop, used, fresh);
      if (error === undefined) return;
      log.error('could not save new tokens of a shop; they are kept in memory', {
        shop_id: shop.shop_id,
        error,
      });
      keep(shop, used, fresh);
    },
    find(shop) {
      const unsaved = kept.get(toKey(shop));
      unsaved?.wake();
      return unsaved?.fresh;
    },
    whenSaved: async (shop) => kept.get(toKey(shop))?.saved,
    count: () => kept.size,
    close() {
      given_up_at = clock.monotonic() + LAST_MS;
      for (const { wake } of kept.values()) wake();
    },
  };
}

function toKey({ account_id, shop_id }: ShopRef): string {
  return `${account_id}/${shop_id}`;
}
