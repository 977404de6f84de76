import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../src/core/ports/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { createTwoAccounts, ON_SQLITE, openWorld, START } from '../world.js';

describe('accounts', () => {
  it('include one default account, created on first use', async () => {
    const { store } = await openWorld();
    expect(await store.accounts.listAccounts()).toEqual([]);
    const first = await store.accounts.getDefaultAccount();

    expect(first).toEqual({
      account_id: expect.stringMatching(/^acct_/),
      name: 'default',
      created_at: START,
    });
    expect(await store.accounts.getDefaultAccount()).toEqual(first);
    expect(await store.accounts.listAccounts()).toEqual([first]);
  });

  it('are listed oldest first', async () => {
    const { store, clock } = await openWorld();
    const first = await store.accounts.createAccount('first');
    clock.advance(1);
    const second = await store.accounts.createAccount('second');

    expect(await store.accounts.listAccounts()).toEqual([first, second]);
  });

  it('have unique names', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await expect(store.accounts.createAccount('mine')).rejects.toThrow(/unique/i);
    await expect(store.accounts.renameAccount(mine, 'other')).rejects.toThrow(/unique/i);
    await store.accounts.renameAccount(mine, 'free');
    await store.accounts.renameAccount(other, 'mine');
    expect((await store.accounts.listAccounts()).map(({ name }) => name).sort()).toEqual(['free', 'mine']);
  });
});

describe('keys', () => {
  it('are found by their hash, listed for their account, and counted', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });
    const { life_ms: _never, ...made } = buildKey(mine, 'key_1');
    const times = { created_at: START, expires_at: null, last_used_at: null, revoked_at: null };
    const key: ApiKey = { ...made, ...times, is_expired: false };

    expect(await store.accounts.listKeys(mine)).toEqual([key]);
    expect(await store.accounts.listKeys(other)).toEqual([]);
    expect(await store.accounts.findKeyByHash('hash-1')).toEqual({ ...key, last_used_at: START });
    expect(await store.accounts.findKeyByHash('hash-2')).toBeUndefined();
    expect(await store.accounts.countKeys()).toBe(1);
  });

  it('record their use at most once a minute', async () => {
    const { store, clock } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });
    const use = () => store.accounts.findKeyByHash('hash-1');
    // No call waits for this write.
    const findNoted = async () => (await store.accounts.listKeys(mine))[0]?.last_used_at;
    await use();
    await expect.poll(findNoted).toBe(START);
    clock.advance(59_999);
    expect(await use()).toMatchObject({ last_used_at: START });
    clock.advance(1);
    await use();
    await expect.poll(findNoted).toBe('2026-11-20T10:01:00.000Z');
  });

  it('stop working when their own account revokes them', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });

    expect(await store.accounts.revokeKey(other, 'key_1')).toBe(false);
    expect(await store.accounts.revokeKey(mine, 'key_1')).toBe(true);
    expect(await store.accounts.revokeKey(mine, 'key_1')).toBe(false);
    expect(await store.accounts.findKeyByHash('hash-1')).toBeUndefined();
    expect(await store.accounts.listKeys(mine)).toMatchObject([{ key_id: 'key_1', revoked_at: START }]);
    expect(await store.accounts.countKeys()).toBe(0);
  });

  it('stop working in every process as soon as one has revoked them', async () => {
    const { store, data_dir } = await openWorld();
    const { store: elsewhere } = await openWorld({ data_dir });
    const { mine } = await createTwoAccounts(store);
    await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });
    expect(await elsewhere.accounts.findKeyByHash('hash-1')).toBeDefined();
    await store.accounts.revokeKey(mine, 'key_1');
    expect(await elsewhere.accounts.findKeyByHash('hash-1')).toBeUndefined();
  });

  it.runIf(ON_SQLITE)(
    'are accepted immediately even while their last use cannot be written',
    async () => {
      const { store, log, data_dir } = await openWorld();
      const { mine } = await createTwoAccounts(store);
      await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });
      const blocker = openAddon(join(data_dir, 'service.db'));
      blocker.exec('BEGIN IMMEDIATE');
      for (let call = 0; call < 10; call += 1) {
        expect(await store.accounts.findKeyByHash('hash-1')).toMatchObject({ last_used_at: START });
      }
      expect(await store.accounts.listKeys(mine)).toMatchObject([{ last_used_at: null }]);
      await expect
        .poll(() => log.lines, { timeout: 20_000 })
        .toMatchObject([{ level: 'warn', message: 'when a key was used could not be written' }]);
      blocker.exec('COMMIT');
      blocker.close();
      await store.accounts.findKeyByHash('hash-1');
      await expect.poll(() => store.accounts.listKeys(mine)).toMatchObject([{ last_used_at: START }]);
    },
    40_000,
  );

  it('are unique, and belong to an account', async () => {
    const { store } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    await store.accounts.createKey({ ...buildKey(mine, 'key_1'), key_sha256: 'hash-1' });

    await expect(
      store.accounts.createKey({ ...buildKey(other, 'key_2'), key_sha256: 'hash-1' }),
    ).rejects.toThrow(/unique/i);
    await expect(
      store.accounts.createKey({ ...buildKey('acct_none', 'key_3'), key_sha256: 'hash-3' }),
    ).rejects.toThrow(/foreign key/i);
  });
});

function buildKey(account_id: string, key_id: string) {
  return {
    account_id,
    key_id,
    name: 'laptop',
    prefix: 'mls_abcd',
    life_ms: null,
    is_read_only: false,
  };
}
