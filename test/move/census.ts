import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { openAddon } from '../../src/sqlite.js';

/*
 * The contents of a database and of a place of files, read without the program: through the drivers, and from
 * the disk.
 */

/**
 * By table: `rows`, and a SHA-256 of all of them in the order of their key; `last`: the last number that was
 * assigned.
 */
export type Census = Record<string, { rows: number; sha256: string; last: string }>;
/** The SHA-256 of the bytes, by the name under which they are stored. */
export type KeptBytes = Record<string, string>;

type Column = { name: string; type: string; pk: number };
type Value = string | number | bigint | Buffer | null;
type Table = { name: string; columns: Column[] };

/** Tables written only by a move. */
const MARK = 'start_hold';
/** Tables that only PostgreSQL has: versions, instances, the folder of shared files, the marketplace. */
const ENGINE_TABLES = new Set(['instances', 'schema_version', 'blob_folder', 'marketplace_owner', MARK]);

export function countSqlite(files: readonly string[]): Census {
  const census: Census = {};
  for (const file of files) {
    const sqlite = openAddon(file, { readonly: true });
    sqlite.defaultSafeIntegers(true);
    for (const table of listTables(sqlite)) {
      const rows = sqlite.prepare(toSelect(table)).raw(true).iterate() as Iterable<Value[]>;
      const digest = createDigest(table);
      for (const row of rows) digest.add(row.map(toText));
      const last = findSequence(sqlite, table.name);
      census[table.name] = { ...digest.end(), last };
    }
    sqlite.close();
  }
  return census;
}

/** @param like files of SQLite that have the same tables */
export async function countPostgres(url: string, like: readonly string[]): Promise<Census> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string) => text },
  });
  await client.connect();
  const census: Census = {};
  const known = new Set<string>();
  for (const file of like) {
    const sqlite = openAddon(file, { readonly: true });
    const tables = listTables(sqlite);
    sqlite.close();
    for (const table of tables) {
      known.add(table.name);
      census[table.name] = await countTable(client, table);
    }
  }
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  );
  await client.end();
  const others = rows.map(({ tablename }) => tablename).filter((name) => !known.has(name));
  for (const name of others.filter((other) => !ENGINE_TABLES.has(other))) {
    census[name] = { rows: -1, sha256: 'in PostgreSQL alone', last: '' };
  }
  return census;
}

async function countTable(client: pg.Client, table: Table): Promise<Census[string]> {
  const digest = createDigest(table);
  await client.query('BEGIN READ ONLY');
  await client.query(`DECLARE all_rows CURSOR FOR ${toSelect(table, ' COLLATE "C"')}`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: 'FETCH 5000 FROM all_rows',
      rowMode: 'array',
    });
    for (const row of rows) {
      digest.add(
        row.map((value, index) =>
          table.columns[index]?.type === 'BLOB' ? (value?.slice(2) ?? null) : value,
        ),
      );
    }
    if (rows.length === 0) break;
  }
  await client.query('COMMIT');
  return { ...digest.end(), last: await findPostgresSequence(client, table) };
}

async function findPostgresSequence(client: pg.Client, { name, columns }: Table): Promise<string> {
  const key = columns.find(({ pk }) => pk === 1);
  const { rows } = await client.query<{ last: string | null; sequence: string | null }>(
    `SELECT pg_get_serial_sequence($1, $2) AS sequence, pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS last`,
    [name, key?.name],
  );
  return rows[0]?.sequence == null ? '' : (rows[0].last ?? '0');
}

/**
 * The digests of all files below a folder of stored bytes. @param toName the name of a path's bytes;
 * undefined for other files
 */
export async function countFiles(
  folder: string,
  toName: (path: string) => string | undefined,
): Promise<KeptBytes> {
  const kept: KeptBytes = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = entry.isFile() ? toName(path.slice(folder.length + 1)) : undefined;
    if (name === undefined) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    kept[name] = `${hash.digest('hex')}${name in kept ? ' twice' : ''}`;
  }
  return kept;
}

/** Names under which the two differ. */
export function listDifferences(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

function listTables(sqlite: BetterSqlite3.Database): Table[] {
  const found = sqlite
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '${MARK}'`,
    )
    .all() as { name: string }[];
  return found.map(({ name }) => ({
    name,
    columns: sqlite
      .prepare('SELECT name, type, CAST(pk AS REAL) AS pk FROM pragma_table_info(?) ORDER BY name')
      .all(name) as Column[],
  }));
}

function toSelect({ name, columns }: Table, collation = ''): string {
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const order = key.map((column) => `${column.name}${column.type === 'TEXT' ? collation : ''}`);
  return `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name} ORDER BY ${order.join(', ')}`;
}

function findSequence(sqlite: BetterSqlite3.Database, name: string): string {
  const { sql } = sqlite.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name) as { sql: string };
  if (!sql.includes('AUTOINCREMENT')) return '';
  const found = sqlite.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(name) as
    { seq: bigint } | undefined;
  return String(found?.seq ?? 0);
}

/** A value of either driver as text; null stays null. */
function toText(value: Value): string | null {
  if (value === null) return null;
  return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
}

function createDigest({ columns }: Table): {
  add: (row: (string | null)[]) => void;
  end: () => { rows: number; sha256: string };
} {
  const hash: Hash = createHash('sha256');
  hash.update(columns.map(({ name, type }) => `${name} ${type}`).join());
  let rows = 0;
  return {
    add(row) {
      rows += 1;
      hash.update(row.map((value) => (value === null ? '-' : `${value.length}:${value}`)).join());
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  };
}
