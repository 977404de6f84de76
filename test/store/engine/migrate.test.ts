import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, type Migration } from '../../../src/store/engine/sqlite/migrate.js';
import { MIGRATIONS } from '../../../src/store/migrations/index.js';

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

it('what was recorded before deliveries were counted in columns is counted', () => {
  const sqlite = new BetterSqlite3(':memory:');
  const names = MIGRATIONS.map(({ name }) => name);
  migrate(sqlite, 'a.db', MIGRATIONS.slice(0, names.indexOf('0021_delivery_buckets')));
  sqlite.exec(`
    INSERT INTO accounts (account_id, name, created_at, is_default) VALUES ('a', 'A', '', 0), ('b', 'B', '', 0);
    INSERT INTO events (account_id, event_id, event_type, created_at) VALUES ('a', 'e', '', ''), ('b', 'e', '', '');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
    INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, seq)
    SELECT CASE WHEN n <= 150 THEN 'a' ELSE 'b' END, 'e', '', '', n,
      CASE WHEN n % 3 = 0 THEN 'failed' WHEN n % 7 = 0 THEN 'pending' ELSE 'success' END, '', CASE WHEN n <= 150 THEN n ELSE n - 150 END
    FROM numbers;`);
  const listCounts = () =>
    sqlite
      .prepare(
        'SELECT account_id, bucket, pending, success, failed FROM delivery_buckets WHERE size = ? ORDER BY 1, 2',
      )
      .all(100);
  migrate(sqlite, 'a.db', MIGRATIONS);
  const counted = listCounts();
  sqlite.exec('DELETE FROM delivery_buckets; CREATE TEMP TABLE kept AS SELECT * FROM deliveries');
  sqlite.exec('DELETE FROM deliveries; INSERT INTO deliveries SELECT * FROM kept');

  expect(counted).toHaveLength(4);
  expect(counted).toContainEqual({ account_id: 'b', bucket: 1, pending: 0, success: 1, failed: 0 });
  expect(counted).toEqual(listCounts());
  sqlite.close();
});

it('of what was pending before ends were counted together, the trigger counts what goes any other way', () => {
  const sqlite = new BetterSqlite3(':memory:');
  const names = MIGRATIONS.map(({ name }) => name);
  migrate(sqlite, 'a.db', MIGRATIONS.slice(0, names.indexOf('0022_counted_ends')));
  sqlite.exec(`
    INSERT INTO accounts (account_id, name, created_at, is_default) VALUES ('a', 'A', '', 0);
    INSERT INTO events (account_id, event_id, event_type, created_at) VALUES ('a', 'e', '', '');
    INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, seq, claimed_by, claimed_until)
    VALUES ('a', 'e', '', '', 1, 'pending', '', 1, 'me', 'soon'), ('a', 'e', '', '', 2, 'pending', '', 2, 'me', 'soon'),
      ('a', 'e', '', '', 3, 'pending', '', 3, NULL, NULL), ('a', 'e', '', '', 4, 'pending', '', 4, 'me', 'soon');`);
  migrate(sqlite, 'a.db', MIGRATIONS);
  const change = (seq: number, to: string) => {
    sqlite.exec(`UPDATE deliveries SET ${to} WHERE seq = ${seq}`);
    return sqlite.prepare('SELECT pending, success, failed FROM delivery_buckets WHERE size = 100').get();
  };

  expect(change(1, "status = 'success', claimed_until = NULL")).toEqual({
    pending: 4,
    success: 0,
    failed: 0,
  });
  expect(change(2, "status = 'success'")).toEqual({ pending: 3, success: 1, failed: 0 });
  expect(change(3, "status = 'failed'")).toEqual({ pending: 2, success: 1, failed: 1 });
  expect(change(4, 'claimed_by = NULL, claimed_until = NULL')).toEqual({ pending: 2, success: 1, failed: 1 });
  expect(change(4, "status = 'failed'")).toEqual({ pending: 1, success: 1, failed: 2 });
  sqlite.close();
});
