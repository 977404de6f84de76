import type { Clock, Ids, ShopRef, TokenStore } from '../core/ports/index.js';
import type { Database } from './database.js';

/** Longer than a refresh may take; a process that dies in the middle holds up the others no longer than this. */
const LEASE_MS = 30_000;
const POLL_MS = 50;
/** Two leases: long enough for a dead holder and one refresh behind it. */
const MAX_POLLS = (2 * LEASE_MS) / POLL_MS;

/** A lease row per shop. Who waits looks again every 50 ms, and rejects after a minute. Not reentrant. */
export function createRefreshLock(database: Database, clock: Clock, ids: Ids): TokenStore['withRefreshLock'] {
  return async (shop, refresh) => {
    const owner = ids.build('lock_');
    await acquire(database, clock, shop, owner);
    try {
      return await refresh();
    } finally {
      await release(database, shop, owner);
    }
  };
}

async function acquire(database: Database, clock: Clock, shop: ShopRef, owner: string): Promise<void> {
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    if (await tryAcquire(database, clock, shop, owner)) return;
    await clock.sleep(POLL_MS);
  }
  throw new Error(`The tokens of shop ${shop.shop_id} are being refreshed by another process without end.`);
}

async function tryAcquire(database: Database, clock: Clock, shop: ShopRef, owner: string): Promise<boolean> {
  const now = clock.now();
  const lease = { owner, expires_at: new Date(now.getTime() + LEASE_MS).toISOString() };
  const result = await database.write((trx) =>
    trx
      .insertInto('refresh_locks')
      .values({ account_id: shop.account_id, shop_id: shop.shop_id, ...lease })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'shop_id'])
          .doUpdateSet(lease)
          .where('refresh_locks.expires_at', '<=', now.toISOString()),
      )
      .executeTakeFirst(),
  );
  return result.numInsertedOrUpdatedRows === 1n;
}

async function release(database: Database, shop: ShopRef, owner: string): Promise<void> {
  await database.write((trx) =>
    trx
      .deleteFrom('refresh_locks')
      .where('account_id', '=', shop.account_id)
      .where('shop_id', '=', shop.shop_id)
      .where('owner', '=', owner)
      .execute(),
  );
}
