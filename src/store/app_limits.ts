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

export function createAppLimits(sqlite: BetterSqlite3.Database, shared: SharedWrite): AppLimitStore {
  const find = sqlite.prepare<[string], AppLimits>(
    'SELECT per_second, per_day, remaining_today, read_at_ms, held_until_ms FROM app_limits WHERE app = ?',
  );
  const save = sqlite.prepare<[AppLimits & { app: string }]>(
    `INSERT INTO app_limits VALUES (@app, @per_second, @per_day, @remaining_today, @read_at_ms, @held_until_ms)
       ON CONFLICT (app) DO UPDATE SET
         per_second = iif(@read_at_ms >= read_at_ms, @per_second, per_second),
         per_day = iif(@read_at_ms >= read_at_ms, @per_day, per_day),
         remaining_today = iif(@read_at_ms >= read_at_ms, @remaining_today, remaining_today),
         read_at_ms = max(read_at_ms, @read_at_ms),
         held_until_ms = max(held_until_ms, @held_until_ms)`,
  );
  return {
    findAppLimits: async (app) => find.get(app),
    async saveAppLimits(app, limits) {
      await shared.run(() => save.run({ app, ...limits }));
    },
  };
}
