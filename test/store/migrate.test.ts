import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, type Migration } from '../../src/store/migrate.js';
import { MIGRATIONS } from '../../src/store/migrations/index.js';

const FIRST: Migration = {
  name: '0001_first',
  up: (sqlite) => sqlite.exec('CREATE TABLE first (a INTEGER) STRICT'),
};
const SECOND: Migration = {
  name: '0002_second',
  up: (sqlite) => sqlite.exec('ALTER TABLE first ADD COLUMN b TEXT'),
};

describe('migrate', () => {
  it('runs what is new, each step once', () => {
    const sqlite = new BetterSqlite3(':memory:');
    migrate(sqlite, 'a.db', [FIRST]);
    migrate(sqlite, 'a.db', [FIRST]);
    migrate(sqlite, 'a.db', [FIRST, SECOND]);
    const columns = sqlite.prepare<[], { name: string }>("SELECT name FROM pragma_table_info('first')").all();

    expect(columns).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(sqlite.pragma('user_version', { simple: true })).toBe(2);
    sqlite.close();
  });

  it('refuses a schema that it does not know', () => {
    const sqlite = new BetterSqlite3(':memory:');
    migrate(sqlite, 'a.db', [FIRST, SECOND]);

    expect(() => migrate(sqlite, 'a.db', [FIRST])).toThrow(
      'a.db has schema version 2, and this release knows only 1.',
    );
    sqlite.close();
  });
});

it('the list is in the order of its names, each of them once', () => {
  const numbers = MIGRATIONS.map((migration) => Number(migration.name.slice(0, 4)));

  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
