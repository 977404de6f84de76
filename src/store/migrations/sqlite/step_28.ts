import type { Migration } from '../../engine/sqlite/migrate.js';

/** Messages of the marketplace about listings, kept to recognise one that comes again. */
export const step28: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE listing_hints (
        webhook_id TEXT NOT NULL PRIMARY KEY,
        received_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX listing_hints_received ON listing_hints (received_at);
    `);
  },
};
