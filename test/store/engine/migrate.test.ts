import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { migrate, type Migration, type Schema } from '../../../src/store/engine/sqlite/migrate.js';
import { SERVICE_SCHEMA } from '../../../src/store/migrations/sqlite/schema.js';
import { makeDirectory } from '../world.js';

const INITIAL = {
  version: 5,
  sql: ['CREATE TABLE first (a INTEGER) STRICT', 'CREATE TABLE second (a INTEGER) STRICT'],
};
const BEFORE: Migration = {
  up: (sqlite) => sqlite.exec('CREATE TABLE second (a INTEGER) STRICT'),
};
const FIRST: Schema = { initial: INITIAL, before: BEFORE, later: [] };
const LATER: Schema = {
  ...FIRST,
  later: [{ up: (sqlite) => sqlite.exec('ALTER TABLE first ADD COLUMN b TEXT') }],
};

function openAt(version: number, sql = ''): BetterSqlite3.Database {
  const sqlite = openAddon(':memory:');
  sqlite.exec(sql);
  sqlite.pragma(`user_version = ${version}`);
  return sqlite;
}

const getVersion = (sqlite: BetterSqlite3.Database): unknown =>
  sqlite.pragma('user_version', { simple: true });

describe('migrate', () => {
  it('makes a new file, and runs what is new later, each step once', () => {
    const sqlite = openAt(0);
    migrate(sqlite, 'a.db', FIRST);
    migrate(sqlite, 'a.db', FIRST);
    expect([getVersion(sqlite), listTables(sqlite)]).toEqual([
      5,
      { first: ['a INTEGER'], second: ['a INTEGER'] },
    ]);
    migrate(sqlite, 'a.db', LATER);
    migrate(sqlite, 'a.db', LATER);

    const tables = { first: ['a INTEGER', 'b TEXT'], second: ['a INTEGER'] };
    expect([getVersion(sqlite), listTables(sqlite)]).toEqual([6, tables]);
  });

  it('brings a file of the version before to the same tables', () => {
    const sqlite = openAt(4, INITIAL.sql[0]);
    migrate(sqlite, 'a.db', LATER);

    const tables = { first: ['a INTEGER', 'b TEXT'], second: ['a INTEGER'] };
    expect([getVersion(sqlite), listTables(sqlite)]).toEqual([6, tables]);
  });

  it('refuses a schema that it does not know', () => {
    expect(() => migrate(openAt(6), 'a.db', FIRST)).toThrow(
      'a.db has schema version 6, and this release knows only 5.',
    );
    expect(() => migrate(openAt(3), 'a.db', FIRST)).toThrow(
      'a.db has schema version 3, and this release brings up to date what has 4 or more.',
    );
  });
});

it('a folder of an earlier version gets the tables that a new one has', () => {
  const file = join(makeDirectory(), 'service.db');
  copyFileSync(join(FROZEN, 'version_22', 'data', 'service.db'), file);
  const old = openAddon(file);
  const fresh = openAt(0);
  for (const sqlite of [old, fresh]) migrate(sqlite, 'service.db', SERVICE_SCHEMA);

  expect(listTables(old)).toEqual(listTables(fresh));
  expect(listIndexes(old)).toEqual(listIndexes(fresh));
  old.close();
});

it('deliveries of before are counted by status, and what is pending or claimed stays so', () => {
  const file = join(makeDirectory(), 'service.db');
  copyFileSync(join(FROZEN, 'version_22', 'data', 'service.db'), file);
  const sqlite = openAddon(file);
  const list = () =>
    sqlite.prepare('SELECT id, status, due_at, claimed_by, claimed_until FROM deliveries ORDER BY id').all();
  const before = list();
  expect(before).not.toEqual([]);
  migrate(sqlite, 'service.db', SERVICE_SCHEMA);

  expect(list()).toEqual(before);
  expect(sqlite.prepare('SELECT DISTINCT fence FROM deliveries').pluck().all()).toEqual([0]);
  expect(sqlite.prepare('SELECT * FROM delivery_totals ORDER BY 1, 2').all()).toEqual(
    sqlite
      .prepare('SELECT account_id, status, count(*) AS total FROM deliveries GROUP BY 1, 2 ORDER BY 1, 2')
      .all(),
  );
  sqlite.close();
});

it('uploads that listings of before name are known', () => {
  const file = join(makeDirectory(), 'service.db');
  copyFileSync(join(FROZEN, 'version_22', 'data', 'service.db'), file);
  const sqlite = openAddon(file);
  migrate(sqlite, 'service.db', SERVICE_SCHEMA);

  const named = sqlite.prepare('SELECT upload_id, listing_pk FROM listing_uploads ORDER BY 1, 2').all();
  expect(named).not.toEqual([]);
  expect(named).toEqual(
    sqlite
      .prepare(
        `SELECT upload_id, listing_pk FROM uploads JOIN listings USING (account_id)
         WHERE instr(request, '://' || upload_id || '/') > 0 ORDER BY 1, 2`,
      )
      .all(),
  );
  sqlite.close();
});

const FROZEN = join(import.meta.dirname, '..', 'frozen');

/** By table: its columns with their constraints, sorted since the order of adding differs, and its references. */
function listTables(sqlite: BetterSqlite3.Database): Record<string, string[]> {
  type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number };
  type Reference = { table: string; from: string; to: string; on_delete: string };
  const names = sqlite
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1",
    )
    .pluck()
    .all();
  return Object.fromEntries(
    names.map((name) => {
      const columns = sqlite.pragma(`table_info(${name})`) as Column[];
      const references = sqlite.pragma(`foreign_key_list(${name})`) as Reference[];
      return [
        name,
        [
          ...columns.map(({ name: column, type, notnull, dflt_value, pk }) =>
            [column, type, notnull && 'NOT NULL', dflt_value, pk && `key ${pk}`].filter(Boolean).join(' '),
          ),
          ...references.map(({ table, from, to, on_delete }) => `${from} -> ${table}.${to} ${on_delete}`),
        ].sort(),
      ];
    }),
  );
}

function listIndexes(sqlite: BetterSqlite3.Database): string[] {
  const rows = sqlite
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL")
    .pluck()
    .all();
  return rows.map((sql) => sql.replace(/\s+/g, ' ')).sort();
}
