import type BetterSqlite3 from 'better-sqlite3';
import type { AppLimits, AppLimitStore } from '../core/ports/index.js';
import type { Migration } from './engine/sqlite/migrate.js';
import type { SharedWrite } from './shared_write.js';

/** In the file of the counters: what the marketplace says of its limits is said again by its next answer. */
export const APP_LIMITS: Migration = {
  name: '0002_app_limits',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE app_limits (
        app TEXT NOT NULL PRIMARY KEY,
        per_second INTEGER,
        per_day INTEGER,
        remaining_today INTEGER,
        read_at_ms INTEGER NOT NULL,
        held_until_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
    `),
};

/** What a clock that was ahead has kept is told by it. */
export const HELD_AT: Migration = {
  name: '0003_held_at',
  up: (sqlite) =>
    sqlite.exec(`
      ALTER TABLE app_limits ADD COLUMN held_at_ms INTEGER NOT NULL DEFAULT 0;
      UPDATE app_limits SET held_until_ms = 0;
    `),
};

export function createAppLimits(sqlite: BetterSqlite3.Database, shared: SharedWrite): AppLimitStore {
  const find = sqlite.prepare<[string], AppLimits>(
    'SELECT per_second, per_day, remaining_today, read_at_ms, held_until_ms, held_at_ms FROM app_limits WHERE app = ?',
  );
  const is_reading_newer = '(@read_at_ms >= read_at_ms OR read_at_ms > @now_ms)';
  const is_hold_longer = '(@held_until_ms >= held_until_ms OR held_at_ms > @now_ms)';
  const save = sqlite.prepare<[AppLimits & { app: string; now_ms: number }]>(
    `INSERT INTO app_limits (app, per_second, per_day, remaining_today, read_at_ms, held_until_ms, held_at_ms)
       VALUES (@app, @per_second, @per_day, @remaining_today, @read_at_ms, @held_until_ms, @held_at_ms)
       ON CONFLICT (app) DO UPDATE SET
         per_second = iif(${is_reading_newer}, @per_second, per_second),
         per_day = iif(${is_reading_newer}, @per_day, per_day),
         remaining_today = iif(${is_reading_newer}, @remaining_today, remaining_today),
         read_at_ms = iif(${is_reading_newer}, @read_at_ms, read_at_ms),
         held_until_ms = iif(${is_hold_longer}, @held_until_ms, held_until_ms),
         held_at_ms = iif(${is_hold_longer}, @held_at_ms, held_at_ms)`,
  );
  return {
    findAppLimits: async (app) => find.get(app),
    async saveAppLimits(app, limits, now_ms) {
      await shared.run(() => save.run({ app, ...limits, now_ms }));
    },
  };
}
