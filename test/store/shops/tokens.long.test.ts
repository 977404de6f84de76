import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { ask } from '../raw.js';
import { createTwoAccounts, ON_SQLITE, openWorld, type World } from '../world.js';

const TOKENS = {
  access_token: '900.access-secret',
  refresh_token: '900.refresh-secret',
  access_expires_at: '2026-11-20T11:00:00.000Z',
  scopes: ['listings_r', 'listings_w'],
};

describe('tokens', () => {
  it('are returned as saved, and only to their account', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const shop = { account_id: mine, shop_id: 101 };
    expect(await store.tokens.findTokens(shop)).toBeUndefined();
    await store.tokens.saveTokens(shop, TOKENS);
    expect(await store.tokens.findTokens(shop)).toEqual(TOKENS);
    const next = { ...TOKENS, access_token: 'new-a', refresh_token: 'new-r' };
    await store.tokens.saveTokens(shop, next);

    expect(await store.tokens.findTokens(shop)).toEqual(next);
    expect(await store.tokens.findTokens({ account_id: other, shop_id: 101 })).toBeUndefined();
    expect(await store.tokens.findTokens({ account_id: mine, shop_id: 102 })).toBeUndefined();
  });

  it('replace only the pair that was used to refresh them', async () => {
    const { store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const shop = { account_id: mine, shop_id: 101 };
    const fresh = { ...TOKENS, access_token: 'new-a', refresh_token: 'new-r' };
    expect(await store.tokens.renewTokens(shop, TOKENS, fresh)).toBe(false);
    expect(await store.tokens.findTokens(shop)).toBeUndefined();
    await store.tokens.saveTokens(shop, TOKENS);
    expect(await store.tokens.renewTokens(shop, TOKENS, fresh)).toBe(true);
    expect(await store.tokens.findTokens(shop)).toEqual(fresh);
    expect(await store.tokens.renewTokens(shop, TOKENS, { ...fresh, refresh_token: 'late' })).toBe(false);
    expect(await store.tokens.findTokens(shop)).toEqual(fresh);
  });

  it('are not stored in plain text', async () => {
    const { store, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.tokens.saveTokens({ account_id: mine, shop_id: 101 }, TOKENS);
    const row = await readRaw(data_dir, mine);

    expect(row.access_token.includes('access-secret')).toBe(false);
    expect(row.refresh_token.includes('refresh-secret')).toBe(false);
  });

  it.each([false, true])('are rejected if changed in the file; read before: %s', async (isRead) => {
    const { store, data_dir } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.tokens.saveTokens({ account_id: mine, shop_id: 101 }, TOKENS);
    if (isRead) await store.tokens.findTokens({ account_id: mine, shop_id: 101 });
    const { access_token } = await readRaw(data_dir, mine);
    access_token.writeUInt8(access_token.readUInt8(access_token.length - 1) ^ 1, access_token.length - 1);
    await writeRaw(data_dir, mine, access_token);

    await expect(store.tokens.findTokens({ account_id: mine, shop_id: 101 })).rejects.toThrow(
      'A secret in shop_tokens.access_token cannot be read: MASTER_KEY',
    );
  });

  it('are rejected if copied from another row or column', async () => {
    const { store, data_dir } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.tokens.saveTokens({ account_id: mine, shop_id: 101 }, TOKENS);
    await store.tokens.saveTokens({ account_id: other, shop_id: 101 }, TOKENS);

    await writeRaw(data_dir, mine, (await readRaw(data_dir, other)).access_token);
    await expect(store.tokens.findTokens({ account_id: mine, shop_id: 101 })).rejects.toThrow('MASTER_KEY');
    await writeRaw(data_dir, other, (await readRaw(data_dir, other)).refresh_token);
    await expect(store.tokens.findTokens({ account_id: other, shop_id: 101 })).rejects.toThrow('MASTER_KEY');
  });
});

describe('withRefreshLock', () => {
  it('admits one process at a time, over two stores on one directory', async () => {
    const first = await openWorld();
    const second = await openWorld({ data_dir: first.data_dir });
    const { mine } = await createTwoAccounts(first.store);
    const shop = { account_id: mine, shop_id: 101 };
    let inside = 0;
    let most = 0;
    const refresh = async (): Promise<number> => {
      inside += 1;
      most = Math.max(most, inside);
      await first.clock.sleep(1);
      inside -= 1;
      return most;
    };
    const stores = [first.store, second.store, first.store, second.store, first.store, second.store];
    const answers = await Promise.all(stores.map((store) => store.tokens.withRefreshLock(shop, refresh)));

    expect(answers).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('releases the lock after a failed refresh', async () => {
    const { store, mine } = await createWorldWithAccount();
    const shop = { account_id: mine, shop_id: 101 };
    await expect(
      store.tokens.withRefreshLock(shop, async () => {
        throw new Error('the marketplace said no');
      }),
    ).rejects.toThrow('the marketplace said no');

    expect(await store.tokens.withRefreshLock(shop, async () => 'again')).toBe('again');
  });

  it('does not block other shops', async () => {
    const { store, mine } = await createWorldWithAccount();
    const answer = await store.tokens.withRefreshLock({ account_id: mine, shop_id: 101 }, () =>
      store.tokens.withRefreshLock({ account_id: mine, shop_id: 102 }, async () => 'inner'),
    );

    expect(answer).toBe('inner');
  });

  it('keeps the lock for a running process, for any time and with any clock', async () => {
    const { store, clock, data_dir, mine } = await createWorldWithAccount();
    const second = await openWorld({ data_dir });
    const shop = { account_id: mine, shop_id: 101 };
    const done = new AbortController();
    const holder = store.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
    await expect.poll(() => readHolders(data_dir)).toHaveLength(1);
    clock.advance(3_600_000);
    second.clock.set(3_600_000);
    await expect(second.store.tokens.withRefreshLock(shop, async () => 'in')).rejects.toThrow(
      'the tokens of shop 101 are held by another process',
    );
    done.abort();
    await holder;
    expect(await second.store.tokens.withRefreshLock(shop, async () => 'in')).toBe('in');
  });

  it('releases the lock as soon as its process is gone', async () => {
    const { store, clock, data_dir, mine } = await createWorldWithAccount();
    const second = await openWorld({ data_dir });
    const shop = { account_id: mine, shop_id: 101 };
    const done = new AbortController();
    const holder = second.store.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
    await expect.poll(() => readHolders(data_dir)).toHaveLength(1);
    // Its row remains, as after a kill; its presence does not.
    await second.store.close();
    const slept_ms = clock.monotonic();
    expect(await store.tokens.withRefreshLock(shop, async () => 'in')).toBe('in');
    expect(clock.monotonic()).toBe(slept_ms);
    done.abort();
    await holder;
  });

  it('stops waiting when the caller stops or the store closes', async () => {
    const { store, data_dir, mine } = await createWorldWithAccount();
    const second = await openWorld({ data_dir });
    const shop = { account_id: mine, shop_id: 101 };
    const done = new AbortController();
    const holder = store.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
    await expect.poll(() => readHolders(data_dir)).toHaveLength(1);
    const stopping = new AbortController();
    const stopped = second.store.tokens.withRefreshLock(shop, async () => 'in', stopping.signal);
    const closed = second.store.tokens.withRefreshLock(shop, async () => 'in');
    const outcomes = Promise.allSettled([stopped, closed]);
    stopping.abort(new Error('the caller stops'));
    await expect(stopped).rejects.toThrow('the caller stops');
    await second.store.close();
    expect(await outcomes).toMatchObject([
      { status: 'rejected' },
      { status: 'rejected', reason: { message: 'the store is closing' } },
    ]);
    done.abort();
    await holder;
    expect(await store.tokens.withRefreshLock(shop, async () => 'in')).toBe('in');
  });

  it.runIf(ON_SQLITE)(
    'waits while the database is locked, and releases the lock as soon as it can',
    async () => {
      const { store, data_dir, mine } = await createWorldWithAccount();
      const shop = { account_id: mine, shop_id: 101 };
      const blocker = openAddon(join(data_dir, 'service.db'));
      const answer = await store.tokens.withRefreshLock(shop, async () => {
        blocker.exec('BEGIN IMMEDIATE');
        return 'fresh';
      });
      expect(answer).toBe('fresh');
      expect(await readHolders(data_dir)).toHaveLength(1);
      blocker.exec('COMMIT');
      blocker.close();
      await expect.poll(() => readHolders(data_dir)).toEqual([]);
      expect(await store.tokens.withRefreshLock(shop, async () => 'again')).toBe('again');
    },
    20_000,
  );

  it.runIf(ON_SQLITE)(
    'does not take the lock from its new holder when an earlier one releases it late',
    async () => {
      const { store, data_dir, mine } = await createWorldWithAccount();
      const shop = { account_id: mine, shop_id: 101 };
      const blocker = openAddon(join(data_dir, 'service.db'));
      await store.tokens.withRefreshLock(shop, async () => blocker.exec('BEGIN IMMEDIATE'));
      blocker.exec('COMMIT');
      blocker.close();
      await store.tokens.withRefreshLock(shop, async () => {
        const [holder] = await readHolders(data_dir);
        // Longer than the first one takes to release it.
        await pause(500);
        expect(await readHolders(data_dir)).toEqual([holder]);
      });
      expect(await readHolders(data_dir)).toEqual([]);
    },
    20_000,
  );
});

async function createWorldWithAccount(): Promise<World & { mine: string }> {
  const world = await openWorld();
  return { ...world, mine: (await createTwoAccounts(world.store)).mine };
}

function readHolders(data_dir: string): Promise<unknown[]> {
  return ask(data_dir, 'SELECT owner FROM refresh_locks WHERE owner IS NOT NULL');
}

type RawTokens = { access_token: Buffer; refresh_token: Buffer };

async function readRaw(data_dir: string, account_id: string): Promise<RawTokens> {
  const [row] = await ask<RawTokens>(
    data_dir,
    'SELECT access_token, refresh_token FROM shop_tokens WHERE account_id = ?',
    [account_id],
  );
  if (!row) throw new Error('no tokens are stored');
  return row;
}

async function writeRaw(data_dir: string, account_id: string, access_token: Buffer): Promise<void> {
  await ask(data_dir, 'UPDATE shop_tokens SET access_token = ? WHERE account_id = ?', [
    access_token,
    account_id,
  ]);
}
