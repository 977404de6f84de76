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

it('deliveries of before are counted by status, and what is pending or claimed stays so', () => {
  const sqlite = new BetterSqlite3(':memory:');
  const names = MIGRATIONS.map(({ name }) => name);
  migrate(sqlite, 'a.db', MIGRATIONS.slice(0, names.indexOf('0036_webhooks')));
  sqlite.exec(`
    INSERT INTO accounts (account_id, name, created_at, is_default) VALUES ('a', 'A', '', 0), ('b', 'B', '', 0);
    INSERT INTO events (account_id, event_id, event_type, created_at) VALUES ('a', 'e', '', ''), ('b', 'e', '', '');
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250)
    INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, seq, due_at, claimed_by)
    SELECT CASE WHEN n <= 150 THEN 'a' ELSE 'b' END, 'e', '', '', n,
      CASE WHEN n % 3 = 0 THEN 'failed' WHEN n % 7 = 0 THEN 'pending' ELSE 'success' END, '',
      CASE WHEN n <= 150 THEN n ELSE n - 150 END, 'soon', CASE WHEN n % 2 = 0 THEN 'me' END
    FROM numbers;`);
  const list = () =>
    sqlite.prepare('SELECT id, status, due_at, claimed_by FROM deliveries ORDER BY id').all();
  const before = list();
  migrate(sqlite, 'a.db', MIGRATIONS);

  expect(list()).toEqual(before);
  expect(sqlite.prepare('SELECT DISTINCT fence FROM deliveries').pluck().all()).toEqual([0]);
  const counted = sqlite.prepare('SELECT * FROM delivery_totals ORDER BY 1, 2').all();
  expect(counted).toContainEqual({ account_id: 'a', status: 'failed', total: 50 });
  expect(counted).toEqual(
    sqlite
      .prepare('SELECT account_id, status, count(*) AS total FROM deliveries GROUP BY 1, 2 ORDER BY 1, 2')
      .all(),
  );
  sqlite.close();
});
