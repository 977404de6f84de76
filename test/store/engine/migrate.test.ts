import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { migrate, type Schema } from '../../../src/store/engine/sqlite/migrate.js';
import { RATES_SCHEMA } from '../../../src/store/migrations/sqlite/rates_schema.js';
import { SERVICE_SCHEMA } from '../../../src/store/migrations/sqlite/schema.js';
import { copyFrozen } from '../frozen_folder.js';
import { makeDirectory } from '../world.js';

const INITIAL = {
  version: 5,
  sql: ['CREATE TABLE first (a INTEGER) STRICT', 'CREATE TABLE second (a INTEGER) STRICT'],
};
const FIRST: Schema = { initial: INITIAL, later: [] };
const LATER: Schema = {
  ...FIRST,
  later: [{ up: (sqlite) => sqlite.exec('ALTER TABLE first ADD COLUMN b TEXT') }],
};

function openAt(version: number): BetterSqlite3.Database {
  const sqlite = openAddon(':memory:');
  sqlite.pragma(`user_version = ${version}`);
  return sqlite;
}

const getVersion = (sqlite: BetterSqlite3.Database): unknown =>
  sqlite.pragma('user_version', { simple: true });

describe('migrate', () => {
  it('creates a new file, and later runs each new step once', () => {
    const sqlite = openAt(0);
    migrate(sqlite, 'a.db', FIRST);
    migrate(sqlite, 'a.db', FIRST);
    const second = { parts: ['a INTEGER'], options: 'STRICT' };
    const tables = { first: second, second };
    expect([getVersion(sqlite), describeTables(sqlite)]).toEqual([5, tables]);
    migrate(sqlite, 'a.db', LATER);
    migrate(sqlite, 'a.db', LATER);

    const first = { parts: ['a INTEGER', 'b TEXT'], options: 'STRICT' };
    expect([getVersion(sqlite), describeTables(sqlite)]).toEqual([6, { first, second }]);
  });

  it('refuses an unknown schema', () => {
    expect(() => migrate(openAt(6), 'a.db', FIRST)).toThrow(
      'a.db has schema version 6, and this release knows only 5.',
    );
    expect(() => migrate(openAt(4), 'a.db', FIRST)).toThrow(
      'a.db has schema version 4, and this release upgrades only version 5 or later.',
    );
  });
});

it.each([
  ['service.db', SERVICE_SCHEMA],
  ['rates.db', RATES_SCHEMA],
])('brings a frozen %s to the schema of a new database', async (name, schema) => {
  const folder = makeDirectory();
  await copyFrozen('version_41/data', folder);
  const frozen = openAddon(join(folder, name), { fileMustExist: true });
  expect(getVersion(frozen)).toBe(schema.initial.version);
  const fresh = openAt(0);
  for (const sqlite of [frozen, fresh]) migrate(sqlite, name, schema);

  expect(describeTables(frozen)).toEqual(describeTables(fresh));
  expect(listIndexes(frozen)).toEqual(listIndexes(fresh));
  frozen.close();
});

/**
 * For each table: its columns and constraints as written (sorted, because steps add columns at the end) and its
 * options.
 */
function describeTables(
  sqlite: BetterSqlite3.Database,
): Record<string, { parts: string[]; options: string }> {
  const rows = sqlite
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return Object.fromEntries(
    rows.map(({ name, sql }) => {
      const [, body = '', options = ''] = /\((.*)\)([^)]*)$/s.exec(sql) ?? [];
      // Commas outside of parentheses; constraints nest at most two levels deep.
      const parts = body.match(/(?:\((?:\([^()]*\)|[^()])*\)|[^,()])+/g) ?? [];
      return [name, { parts: parts.map(toLine).sort(), options: toLine(options) }];
    }),
  );
}

function listIndexes(sqlite: BetterSqlite3.Database): string[] {
  const rows = sqlite
    .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL")
    .pluck()
    .all();
  return rows.map(toLine).sort();
}

const toLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim();
