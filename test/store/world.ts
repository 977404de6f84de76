import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { loadSqlite } from '../../src/sqlite.js';
import type { Clock, Store } from '../../src/core/ports/index.js';
import { openStore } from '../../src/store/index.js';
import { ENGINE, getDatabase, removeDatabase } from '../postgres/world.js';
import { createTestClock, createTestIds, createTestLog, type TestClock, type TestLog } from './ports.js';
import { systemRandomness } from '../../src/world/randomness.js';

export { START } from './ports.js';

/** For properties only SQLite has: files in the folder, one writer that blocks all others, its own statements. */
export const ON_SQLITE = ENGINE === 'sqlite';

/** A directory that is deleted when the test ends. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'store-test-'));
  onTestFinished(async () => {
    await removeDatabase(join(directory, 'data'));
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

export type World = { store: Store; clock: TestClock; log: TestLog; data_dir: string };

/**
 * A store on a directory (a new one by default), closed when the test ends. `start`: the time of its clock, unless
 * a clock is given.
 */
export async function openWorld(
  options: { data_dir?: string; master_key?: string; start?: string; clock?: Clock } = {},
): Promise<World> {
  const data_dir = options.data_dir ?? join(makeDirectory(), 'data');
  const clock = createTestClock(options.start);
  const log = createTestLog();
  const url = await getDatabase(data_dir);
  const store = await openStore({
    randomness: systemRandomness,
    clock,
    ...options,
    data_dir,
    database: url === undefined ? undefined : { url, max_connections: 5, clock: options.clock ?? clock },
    ids: createTestIds(),
    log,
  });
  onTestFinished(() => store.close());
  const known = texts.size;
  onTestFinished(() => expect([...texts].slice(known).filter(hasUnevenList)).toEqual([]));
  return { store, clock, log, data_dir };
}

/** Two accounts of one store, to check that neither sees the other's data. */
export async function createTwoAccounts(store: Store): Promise<{ mine: string; other: string }> {
  const mine = await store.accounts.createAccount('mine');
  const other = await store.accounts.createAccount('other');
  return { mine: mine.account_id, other: other.account_id };
}

/**
 * The SQL texts SQLite was given. It keeps each text, so lists have only a few lengths: see
 * src/store/engine/lengths.ts.
 */
const texts = new Set<string>();

const { prototype } = loadSqlite() as { prototype: BetterSqlite3.Database };
const { prepare } = prototype;
Object.assign(prototype, {
  prepare(this: BetterSqlite3.Database, sql: string) {
    texts.add(sql);
    return prepare.call(this, sql);
  },
});

/** Whether the number of placeholders of an `in`, or of rows of a VALUES, is not a power of two. */
function hasUnevenList(sql: string): boolean {
  const lengths = [
    ...Array.from(sql.matchAll(/\bin \((\?(?:, \?)*)\)/gi), ([, marks = '']) => marks.split(',').length),
    ...Array.from(
      sql.matchAll(/\bvalues (\([^()]*\)(?:, \([^()]*\))*)/gi),
      ([, rows = '']) => rows.split('(').length - 1,
    ),
  ];
  return lengths.some((length) => (length & (length - 1)) !== 0);
}
