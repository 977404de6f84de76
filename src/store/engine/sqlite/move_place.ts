import { makeFolder } from '../../../core/make_folder.js';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';
import { openExclusively, retryUntilExclusive } from './exclusive.js';
import { openConnection } from './connection.js';
import { createReader, createWriter } from './engine.js';
import { closeDirectory, listStoreFiles } from './files.js';
import { findHold, liftHold, setHold } from './holds.js';
import { runExclusive } from './locking.js';
import { isUpToDate, migrate, type Schema } from './migrate.js';
import { findMark } from './restores.js';
import { openSqlite } from './sqlite.js';
import type { RateTables } from '../../limits/schema.js';
import { RATES_SCHEMA } from '../../migrations/sqlite/rates_schema.js';
import { SERVICE_SCHEMA } from '../../migrations/sqlite/schema.js';
import type { Tables } from '../../schema.js';
import { StoreError } from '../../store_error.js';
import { getEngine, type MovePlace, type TableShape } from '../../move/place.js';
import { HOLD_TABLE } from '../holds.js';

export type FolderPlace = MovePlace & { tables: ReturnType<typeof listTables> };

/**
 * The database of a data folder, to move out of. No other process can connect to it until it is closed. Throws StoreError if
 * there is none, if another process is connected, or if it is of another release.
 */
export async function openFolderSource(data_dir: string): Promise<FolderPlace> {
  const { service, rates } = listStoreFiles(data_dir);
  if (!existsSync(service)) throw new StoreError(`There is no database at ${service}. Check DATA_DIR.`);
  const sqlite = await openQuiet(service);
  try {
    requireUpToDate(sqlite, service, SERVICE_SCHEMA);
    if (findMark(sqlite)) {
      throw new StoreError(
        `${service} is a restored backup that was never started. Start the service on it once, then try again.`,
      );
    }
    const counters = existsSync(rates) ? await openQuiet(rates) : await openNew(':memory:', RATES_SCHEMA);
    requireUpToDate(counters, rates, RATES_SCHEMA);
    return buildPlace(data_dir, sqlite, counters, {
      finish: () => Promise.reject(new Error('a source is not started on')),
    });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * The new database of a data folder, created next to its future place. At the end, a database that was moved out of the
 * folder before is set aside and kept. Throws StoreError if the folder has a database that is in use or was not moved away.
 */
export async function openFolderTarget(data_dir: string): Promise<FolderPlace> {
  closeDirectory(data_dir);
  const files = listStoreFiles(data_dir);
  const old = existsSync(files.service) ? await readHold(files.service) : undefined;
  const isInPlace = old?.reason === 'moving_in';
  if (existsSync(files.service) && !isInPlace && old?.reason !== 'moved_out') {
    throw new StoreError(`${data_dir} has a database already. Name an empty folder with DATA_DIR.`);
  }
  const folder = isInPlace ? data_dir : join(data_dir, UNFINISHED);
  const target = listStoreFiles(folder);
  makeFolder(folder);
  const sqlite = await openNew(target.service, SERVICE_SCHEMA);
  const counters = await openNew(target.rates, RATES_SCHEMA);
  return buildPlace(data_dir, sqlite, counters, {
    async finish() {
      if (!isInPlace) {
        // A program that was started on the folder in the meantime has created a database of its own.
        if (!old && existsSync(files.service)) {
          throw new StoreError(
            `${data_dir} has got a database while this one was moved. Stop what runs there, put that database away, and move again: it goes on.`,
          );
        }
        for (const opened of [counters, sqlite]) fold(opened);
        if (old) setAside(files.service, old.since);
        for (const path of listWithJournals(files.rates)) rmSync(path, { force: true });
        renameSync(target.rates, files.rates);
        renameSync(target.service, files.service);
      }
      if (isInPlace) liftHold(sqlite);
      else liftHoldOf(files.service);
      rmSync(join(data_dir, UNFINISHED), { recursive: true, force: true });
    },
  });
}

/**
 * Removes the hold by which a folder's database refuses a start after a move. Returns the place it was moved to, if it was.
 */
export async function liftFolderMark(data_dir: string): Promise<string | undefined> {
  const { service } = listStoreFiles(data_dir);
  if (!existsSync(service)) throw new StoreError(`There is no database at ${service}. Check DATA_DIR.`);
  const sqlite = await openQuiet(service);
  try {
    const hold = findHold(sqlite);
    if (hold?.reason !== 'moved_out' && hold?.reason !== 'moving_out') return undefined;
    liftHold(sqlite);
    return hold.place ?? '';
  } finally {
    sqlite.close();
  }
}

const UNFINISHED = 'moving';

function buildPlace(
  data_dir: string,
  sqlite: BetterSqlite3.Database,
  counters: BetterSqlite3.Database,
  { finish }: Pick<MovePlace, 'finish'>,
): FolderPlace {
  const place: FolderPlace = {
    name: data_dir,
    tables: [...listTables(sqlite, 'service'), ...listTables(counters, 'rates')],
    // One after the other on one connection: a move never reads while it writes.
    service: { read: createReader<Tables>(sqlite).read, write: createWriter<Tables>(sqlite).write },
    rates: { read: createReader<RateTables>(counters).read, write: createWriter<RateTables>(counters).write },
    findHold: async () => findHold(sqlite),
    setHold: async (hold) => setHold(sqlite, hold),
    liftHold: async () => liftHold(sqlite),
    checkAlone: () => Promise.resolve(),
    async insertRows(table, rows) {
      const names = sql.join(table.columns.map((column) => sql.ref(column)));
      await getEngine(place, table).write(async (trx) => {
        for (const row of rows) {
          const values = sql.join(table.columns.map((column) => row[column]));
          await sql`INSERT INTO ${sql.table(table.name)} (${names}) VALUES (${values})`.execute(trx);
        }
      });
    },
    async readLastNumber({ name }) {
      const find = sqlite.prepare<[string], { seq: number }>(
        'SELECT seq FROM sqlite_sequence WHERE name = ?',
      );
      return find.get(name)?.seq ?? 0;
    },
    async setLastNumber({ name }, last) {
      sqlite.transaction(() => {
        sqlite.prepare<[string]>('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
        sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last);
      })();
    },
    finish,
    async close() {
      sqlite.close();
      counters.close();
    },
  };
  return place;
}

function openQuiet(file: string): Promise<BetterSqlite3.Database> {
  return retryUntilExclusive(
    `Another process has ${file} open. Stop the service, and the assistants on this computer that use it, then try again.`,
    () => openExclusively(file),
  );
}

async function readHold(file: string) {
  const sqlite = await openQuiet(file);
  try {
    return findHold(sqlite);
  } finally {
    sqlite.close();
  }
}

async function openNew(file: string, schema: Schema): Promise<BetterSqlite3.Database> {
  if (file !== ':memory:') {
    const made = await openConnection(file, 'FULL');
    made.close();
  }
  const sqlite = file === ':memory:' ? openSqlite(file) : await openQuiet(file);
  await runExclusive(sqlite, () => migrate(sqlite, file, schema));
  return sqlite;
}

function requireUpToDate(sqlite: BetterSqlite3.Database, file: string, schema: Schema): void {
  if (isUpToDate(sqlite, schema)) return;
  throw new StoreError(
    `${file} is of another release. Run listing-service migrate with this one, then try again.`,
  );
}

/** Folds the write-ahead log into the file, since only the file is moved. */
function fold(sqlite: BetterSqlite3.Database): void {
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

function liftHoldOf(file: string): void {
  const sqlite = openExclusively(file);
  try {
    liftHold(sqlite);
  } finally {
    sqlite.close();
  }
}

function setAside(file: string, since: string): void {
  renameSync(file, `${file}.moved-${since.replaceAll(/[:.]/g, '')}`);
}

function listWithJournals(file: string): string[] {
  return [file, `${file}-wal`, `${file}-shm`];
}

/** The tables of a database on SQLite, each after those that it refers to; PostgreSQL has the same. */
function listTables(sqlite: BetterSqlite3.Database, engine: TableShape['engine']): TableShape[] {
  const found = sqlite
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY name`,
    )
    .all(HOLD_TABLE);
  const shapes = found.map(({ name, sql }) => ({
    ...readColumns(sqlite, name),
    name,
    engine,
    is_numbered: /\bAUTOINCREMENT\b/i.test(sql),
    parents: listParents(sqlite, name),
  }));
  const ordered: TableShape[] = [];
  const isDone = new Set<string>();
  while (ordered.length < shapes.length) {
    const next = shapes.find(
      ({ name, parents }) =>
        !isDone.has(name) && parents.every((parent) => parent === name || isDone.has(parent)),
    );
    if (!next) throw new Error('tables refer to each other in a circle');
    const { parents: _, ...shape } = next;
    isDone.add(next.name);
    ordered.push(shape);
  }
  return ordered;
}

function readColumns(sqlite: BetterSqlite3.Database, table: string): Pick<TableShape, 'columns' | 'key'> {
  const columns = sqlite
    .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
    .all(table);
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`${table} has no primary key`);
  return { columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) };
}

function listParents(sqlite: BetterSqlite3.Database, table: string): string[] {
  return sqlite
    .prepare<[string], { parent: string }>(
      'SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?)',
    )
    .all(table)
    .map(({ parent }) => parent);
}
