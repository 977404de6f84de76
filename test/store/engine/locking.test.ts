import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { openConnection, openReader } from '../../../src/store/engine/sqlite/connection.js';
import { createSqliteEngine } from '../../../src/store/engine/sqlite/engine.js';
import { runExclusive, runLocked } from '../../../src/store/engine/sqlite/locking.js';
import { createPresence } from '../../../src/store/engine/sqlite/presence.js';
import type { Tables } from '../../../src/store/schema.js';
import { createTestClock } from '../ports.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

describe('write transactions', () => {
  // Blocking would take five seconds at the first conflict; without it, the whole test takes less than 100 ms.
  it('of two stores in one process wait for each other without blocking it', { timeout: 4000 }, async () => {
    const first = await openWorld();
    const second = await openWorld({ data_dir: first.data_dir });
    const work = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? first : second).store.accounts.createAccount(`account ${n}`),
    );
    await Promise.all(work);

    expect(await first.store.accounts.listAccounts()).toHaveLength(40);
  });

  it('begin immediate, so that nothing they have read changes before they write', async () => {
    const { data_dir, store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const file = join(data_dir, 'service.db');
    const engine = createSqliteEngine<Tables>({
      writer: await openConnection(file, 'FULL'),
      reader: openReader(file),
      instance: 'another',
      presence: createPresence(join(data_dir, 'processes')),
      clock: createTestClock(),
    });
    const rename = async (suffix: string) =>
      engine.write(async (trx) => {
        const { name } = await trx
          .selectFrom('accounts')
          .select('name')
          .where('account_id', '=', mine)
          .executeTakeFirstOrThrow();
        const other = openAddon(join(data_dir, 'service.db'), { timeout: 0 });
        expect(() => other.exec("UPDATE accounts SET name = 'stolen'")).toThrow('database is locked');
        other.close();
        await trx
          .updateTable('accounts')
          .set({ name: name + suffix })
          .where('account_id', '=', mine)
          .execute();
      });
    await rename('-a');
    await rename('-b');
    await engine.close();

    expect(await store.accounts.listAccounts()).toContainEqual({
      account_id: mine,
      name: 'mine-a-b',
      created_at: START,
    });
  });

  it('leave no trace when they fail', async () => {
    const { data_dir, store } = await openWorld();
    await createTwoAccounts(store);
    const sqlite = await openConnection(join(data_dir, 'service.db'), 'FULL');
    await expect(
      runExclusive(sqlite, async () => {
        sqlite.exec("UPDATE accounts SET name = 'half' WHERE name = 'mine'");
        throw new Error('no further');
      }),
    ).rejects.toThrow('no further');
    sqlite.close();

    const names = (await store.accounts.listAccounts()).map(({ name }) => name);
    expect(names).toContain('mine');
    expect(names).not.toContain('half');
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

it('taking the first lock on a file waits for another process that briefly locks it on release', async () => {
  const { data_dir } = await openWorld();
  const file = join(data_dir, 'a.lock');
  const other = openAddon(file);
  const work = async () => {
    // Another process briefly holds this lock when it requests the file.
    other.exec('BEGIN');
    other.prepare('SELECT * FROM sqlite_master').all();
    setTimeout(() => other.close(), 30);
    return 'done';
  };
  expect(await runLocked(file, work)).toBe('done');
});
