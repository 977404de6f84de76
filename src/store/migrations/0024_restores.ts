import type { Migration } from '../engine/sqlite/migrate.js';

/** When a backup was put in this database's place, and which listings were in it. */
export const restores: Migration = {
  name: '0024_restores',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE restores (
        restore_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        backed_up_at TEXT NOT NULL,
        restored_at TEXT NOT NULL,
        last_listing_pk INTEGER NOT NULL
      ) STRICT;
    `),
};
