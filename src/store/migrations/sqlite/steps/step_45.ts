import type { Migration } from '../../../engine/sqlite/migrate.js';

/** Saved filters of the listings page. */
export const step45: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE saved_filters (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        query TEXT NOT NULL,
        PRIMARY KEY (account_id, name)
      ) STRICT, WITHOUT ROWID;
    `);
  },
};
