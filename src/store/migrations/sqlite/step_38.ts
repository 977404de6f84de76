import type { Migration } from '../../engine/sqlite/migrate.js';

/** Jobs that a restored backup had in flight; times cannot tell them apart, since the clock may have been set in between. */
export const step38: Migration = {
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE jobs ADD COLUMN is_restored INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX jobs_restored ON jobs (account_id, completed_at) WHERE is_restored = 1;
    `);
  },
};
