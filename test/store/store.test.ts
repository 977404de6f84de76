import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../src/sqlite.js';
import { openConnection } from '../../src/store/engine/sqlite/connection.js';
import { StoreError } from '../../src/store/index.js';
import { getKnownVersion } from '../../src/store/engine/sqlite/migrate.js';
import { SERVICE_SCHEMA } from '../../src/store/migrations/sqlite/schema.js';
import { damageIndex } from './damage.js';
import { createTwoAccounts, makeDirectory, ON_SQLITE, openWorld } from './world.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('hex');

describe('files', () => {
  it.runIf(ON_SQLITE)('are private, with any umask and any earlier mode', async () => {
    const data_dir = join(makeDirectory(), 'deep', 'data');
    mkdirSync(data_dir, { recursive: true });
    chmodSync(data_dir, 0o755);
    writeFileSync(join(data_dir, 'service.db'), '');
    chmodSync(join(data_dir, 'service.db'), 0o644);
    const umask = process.umask(0);
    const { store } = await openWorld({ data_dir }).finally(() => process.umask(umask));
    await createTwoAccounts(store);
    await store.rates.take('a', { per_second: 1, per_day: 1 });

    expect(toMode(data_dir)).toBe('700');
    const modes = readdirSync(data_dir).map((name) => `${name} ${toMode(join(data_dir, name))}`);
    expect(modes.sort()).toEqual([
      'master.key 600',
      'processes 700',
      'rates.db 600',
      'rates.db-shm 600',
      'rates.db-wal 600',
      'service.db 600',
      'service.db-shm 600',
      'service.db-wal 600',
    ]);
  });

  it('are not created in a directory all users share', async () => {
    const data_dir = makeDirectory();
    chmodSync(data_dir, 0o1777);

    await expect(openWorld({ data_dir })).rejects.toThrow(/^DATA_DIR .* is shared with other users/);
    expect(readdirSync(data_dir)).toEqual([]);
  });
});

describe("SQLite's settings", () => {
  it('are correct on the first connection and on every later one', async () => {
    const file = join(makeDirectory(), 'a.db');
    for (const synchronous of ['FULL', 'FULL', 'OFF'] as const) {
      const sqlite = await openConnection(file, synchronous);
      const read = (name: string) => sqlite.pragma(name, { simple: true });
      expect({
        journal_mode: read('journal_mode'),
        synchronous: read('synchronous'),
        foreign_keys: read('foreign_keys'),
        busy_timeout: read('busy_timeout'),
      }).toEqual({
        journal_mode: 'wal',
        synchronous: synchronous === 'FULL' ? 2 : 0,
        foreign_keys: 1,
        busy_timeout: 0,
      });
      sqlite.close();
    }
  });

  it('are refused if they do not take effect', async () => {
    await expect(openConnection(':memory:', 'FULL')).rejects.toThrow(
      'SQLite kept journal_mode = memory for :memory: where wal is needed. Put DATA_DIR on a local disk.',
    );
  });
});

describe('the schema', () => {
  it.runIf(ON_SQLITE)('has only strict tables', async () => {
    const { data_dir } = await openWorld();
    for (const name of ['service.db', 'rates.db']) {
      const sqlite = openAddon(join(data_dir, name), { readonly: true });
      const tables = sqlite
        .prepare<[], { name: string; strict: number }>('PRAGMA table_list')
        .all()
        .filter((table) => !table.name.startsWith('sqlite_'));
      sqlite.close();
      expect(tables.length).toBeGreaterThan(1);
      expect(tables.filter((table) => table.strict === 0)).toEqual([]);
    }
  });

  it.runIf(ON_SQLITE)('of a newer release is refused, and left unchanged', async () => {
    const { store, data_dir } = await openWorld();
    await store.close();
    const known = getKnownVersion(SERVICE_SCHEMA);
    const newer = known + 1;
    setVersion(data_dir, newer);

    await expect(openWorld({ data_dir })).rejects.toThrow(
      new StoreError(
        `${join(data_dir, 'service.db')} has schema version ${newer}, and this release knows only ${known}. Start the newer release, or restore a backup made by this one.`,
      ),
    );
    setVersion(data_dir, known);
    const { store: again } = await openWorld({ data_dir });
    expect(await again.listTroubles()).toEqual([]);
  });
});

describe('the master key', () => {
  it('is created at the first start and used from then on', async () => {
    const { store, data_dir } = await openWorld();
    const key = readFileSync(join(data_dir, 'master.key'), 'utf8');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    await store.close();
    await openWorld({ data_dir });

    expect(readFileSync(join(data_dir, 'master.key'), 'utf8')).toBe(key);
  });

  it('is not written to disk if the settings provide it', async () => {
    const { data_dir } = await openWorld({ master_key: KEY });

    expect(existsSync(join(data_dir, 'master.key'))).toBe(false);
  });

  it("is refused at the start if it is not the database's own", async () => {
    const { store, data_dir } = await openWorld({ master_key: KEY });
    await store.close();

    await expect(openWorld({ data_dir, master_key: OTHER_KEY })).rejects.toThrow(
      /^MASTER_KEY is not the key that the database was sealed with\. Give this instance/,
    );
    await expect(openWorld({ data_dir })).rejects.toThrow(/master.key is missing/);
    expect(existsSync(join(data_dir, 'master.key'))).toBe(false);
  });

  it('is not replaced by a new one if it is lost', async () => {
    const { store, data_dir } = await openWorld();
    await store.close();
    rmSync(join(data_dir, 'master.key'));

    await expect(openWorld({ data_dir })).rejects.toThrow(
      `${join(data_dir, 'master.key')} is missing, and the stored secrets cannot be read without it. Put it back, or set MASTER_KEY to the key it held.`,
    );
  });

  it('is refused if it is not a key', async () => {
    await expect(openWorld({ master_key: 'hunter2' })).rejects.toThrow(/^MASTER_KEY is not a key/);
  });
});

describe('an unclean stop', () => {
  it.runIf(ON_SQLITE)('makes the next start check the database once', async () => {
    const { store, data_dir } = await openWorld();
    await store.close();
    leaveLock(data_dir);
    const next = await openWorld({ data_dir });
    expect(next.log.lines).toEqual([
      { level: 'warn', message: 'the last stop was not clean: checking the database', fields: undefined },
    ]);
    await next.store.close();

    expect((await openWorld({ data_dir })).log.lines).toEqual([]);
  });

  it.runIf(ON_SQLITE)('is not assumed while another store is open', async () => {
    const { data_dir } = await openWorld();

    expect((await openWorld({ data_dir })).log.lines).toEqual([]);
  });

  it.runIf(ON_SQLITE)('is an error if it left the database damaged', async () => {
    const { store, data_dir } = await openWorld();
    await createTwoAccounts(store);
    await store.close();
    leaveLock(data_dir);
    damageIndex(join(data_dir, 'service.db'), 'deliveries_by_status');

    await expect(openWorld({ data_dir })).rejects.toThrow(
      /service\.db is damaged \(.+\)\. Move it away and restore a backup\.$/,
    );
  });

  it.runIf(ON_SQLITE)('is not needed to refuse a file that is not a database', async () => {
    const data_dir = makeDirectory();
    writeFileSync(join(data_dir, 'service.db'), 'these are the notes of another program '.repeat(100));

    await expect(openWorld({ data_dir })).rejects.toThrow(
      /service\.db is damaged \(file is not a database\)/,
    );
  });
});

describe('the rate counters', () => {
  it.runIf(ON_SQLITE)('block no write of another process while they are opened', async () => {
    const data_dir = join(makeDirectory(), 'data');
    mkdirSync(data_dir);
    const counters = openAddon(join(data_dir, 'rates.db'));
    counters.exec('BEGIN EXCLUSIVE');
    const opening = openWorld({ data_dir });
    await expect.poll(() => existsSync(join(data_dir, 'service.db'))).toBe(true);
    const writer = openAddon(join(data_dir, 'service.db'), { timeout: 0 });
    const add = () =>
      writer.exec(
        "INSERT INTO accounts (account_id, name, is_default, created_at) VALUES ('a', 'one', 0, '')",
      );
    await expect.poll(add).toBe(writer);
    writer.close();
    counters.close();
    const { store } = await opening;

    expect(await store.accounts.listAccounts()).toHaveLength(1);
  });

  it.runIf(ON_SQLITE)('are replaced by one start at a time if they are damaged', async () => {
    const { store, data_dir } = await openWorld();
    await store.close();
    const file = join(data_dir, 'rates.db');
    writeFileSync(file, 'these are no counters '.repeat(100));
    // Another start is replacing them, and finishes a little later.
    const other = openAddon(join(data_dir, 'processes', 'rates.opening'));
    other.exec('BEGIN IMMEDIATE');
    const opening = openWorld({ data_dir });
    await pause(300);
    rmSync(file);
    other.close();

    expect((await opening).log.lines).toEqual([]);
  });

  it.runIf(ON_SQLITE)('start again from zero if they are damaged', async () => {
    const { store, data_dir } = await openWorld();
    await store.close();
    writeFileSync(join(data_dir, 'rates.db'), 'these are no counters '.repeat(100));
    const worlds = await Promise.all([1, 2, 3].map(() => openWorld({ data_dir })));
    const limits = { per_second: 1, per_day: 1 };
    const taken = await Promise.all(worlds.map((world) => world.store.rates.take('a', limits)));

    expect(worlds.flatMap(({ log }) => log.lines.map(({ message }) => message))).toEqual([
      'the rate counters were damaged and begin anew',
    ]);
    expect(taken.filter(({ is_allowed }) => is_allowed)).toHaveLength(1);
  });
});

describe('closing a store', () => {
  it.runIf(ON_SQLITE)('leaves one file for each database, and may be repeated', async () => {
    const { store, data_dir } = await openWorld();
    await createTwoAccounts(store);
    expect(await store.listTroubles()).toEqual([]);
    await Promise.all([store.close(), store.close()]);

    expect(await store.listTroubles()).toEqual(['the database does not answer']);
    expect(readdirSync(data_dir).sort()).toEqual(['master.key', 'processes', 'rates.db', 'service.db']);
  });
});

function toMode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function setVersion(data_dir: string, version: number): void {
  const sqlite = openAddon(join(data_dir, 'service.db'));
  sqlite.pragma(`user_version = ${version}`);
  sqlite.close();
}

/** Leaves the lock file of a killed process: it exists, but nobody holds it. */
function leaveLock(data_dir: string): void {
  writeFileSync(join(data_dir, 'processes', 'instance_gone.lock'), '');
}
