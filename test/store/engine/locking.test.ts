import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/store/database.js';
import { openConnection } from '../../../src/store/engine/sqlite/connection.js';
import { createDialect } from '../../../src/store/engine/sqlite/dialect.js';
import { runExclusive } from '../../../src/store/engine/sqlite/locking.js';
import { createTwoAccounts, openWorld, START } from '../world.js';

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

  it('begin immediate, so that what was read still holds when it is written', async () => {
    const { data_dir, store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const sqlite = await openConnection(join(data_dir, 'service.db'), 'FULL');
    const database = createDatabase(sqlite);
    const rename = async (suffix: string) =>
      database.write(async (trx) => {
        const { name } = await trx
          .selectFrom('accounts')
          .select('name')
          .where('account_id', '=', mine)
          .executeTakeFirstOrThrow();
        const other = new BetterSqlite3(join(data_dir, 'service.db'), { timeout: 0 });
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
    await database.close();

    expect(await store.accounts.findAccount(mine)).toEqual({
      account_id: mine,
      name: 'mine-a-b',
      created_at: START,
    });
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

  it('of prepared queries wait for their turn, and leave nothing of what failed', async () => {
    const { data_dir, store } = await openWorld();
    const { mine } = await createTwoAccounts(store);
    const sqlite = await openConnection(join(data_dir, 'service.db'), 'FULL');
    const database = createDatabase(sqlite);
    const rename = database.prepare(() =>
      database.db.updateTable('accounts').set({ name: '' }).where('account_id', '=', '').compile(),
    );
    const order: string[] = [];
    const [failed] = await database.write(async (trx) => {
      const coming = database.commit(() => {
        order.push('second');
        rename.run('half', mine);
        throw new Error('no further');
      });
      const outcome = Promise.allSettled([coming]);
      await trx.updateTable('accounts').set({ name: 'first' }).where('account_id', '=', mine).execute();
      order.push('first');
      return [outcome];
    });
    expect(await failed).toMatchObject([{ status: 'rejected', reason: { message: 'no further' } }]);

    expect(order).toEqual(['first', 'second']);
    expect(await store.accounts.findAccount(mine)).toMatchObject({ name: 'first' });
    expect(await database.commit(() => rename.run('last', mine))).toBe(1);
    expect(() => rename.run('outside', mine)).toThrow('the transaction is over');
    await database.close();
    expect(await store.accounts.findAccount(mine)).toMatchObject({ name: 'last' });
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

it('whoever waits for the connection gets it before those who come later', async () => {
  const { data_dir } = await openWorld();
  const sqlite = await openConnection(join(data_dir, 'service.db'), 'FULL');
  const driver = createDialect(sqlite).createDriver();
  await driver.init();
  const order: string[] = [];
  const use = async (name: string) => {
    const connection = await driver.acquireConnection();
    order.push(name);
    return () => driver.releaseConnection(connection);
  };
  const release = await use('first');
  const waiting = [use('second'), use('third')];
  const releasing = release();
  const last = use('last');
  await releasing;
  for (const next of [...waiting, last]) await (await next)();
  sqlite.close();

  expect(order).toEqual(['first', 'second', 'third', 'last']);
});
