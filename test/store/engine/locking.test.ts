import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConnection } from '../../../src/store/engine/sqlite/connection.js';
import { runExclusive } from '../../../src/store/engine/sqlite/locking.js';
import { createTwoAccounts, openWorld } from '../world.js';

describe('write transactions', () => {
  // Blocking would cost five seconds at the first meeting, and none of this takes a tenth of one.
  it('of two stores in one process wait for each other without blocking it', { timeout: 4000 }, async () => {
    const first = await openWorld();
    const second = await openWorld({ data_dir: first.data_dir });
    const work = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? first : second).store.accounts.createAccount(`account ${n}`),
    );
    await Promise.all(work);

    expect(await first.store.accounts.listAccounts()).toHaveLength(40);
  });

  it('leave nothing of what failed', async () => {
    const { data_dir, store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const sqlite = await openConnection(join(data_dir, 'service.db'), 'FULL');
    await expect(
      runExclusive(sqlite, async () => {
        sqlite.exec("UPDATE accounts SET name = 'half' WHERE name = 'mine'");
        throw new Error('no further');
      }),
    ).rejects.toThrow('no further');
    sqlite.close();

    expect(await store.accounts.findAccount(mine)).toMatchObject({ name: 'mine' });
  });
});

it('reads do not wait for a writer', async () => {
  const { data_dir, store } = await openWorld();
  await createTwoAccounts(store);
  const writer = await openConnection(join(data_dir, 'service.db'), 'FULL');
  writer.exec('BEGIN IMMEDIATE');
  const accounts = await store.accounts.listAccounts();
  const deliveries = await store.webhooks.listDeliveries('acct_none', { limit: 1, offset: 0 });
  writer.exec('ROLLBACK');
  writer.close();

  expect(accounts).toHaveLength(2);
  expect(deliveries).toEqual({ total: 0, items: [] });
});
