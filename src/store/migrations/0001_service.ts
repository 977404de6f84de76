import type { Migration } from '../engine/sqlite/migrate.js';

/** About the store itself: who has it open, and whether the master key is still the same. */
export const service: Migration = {
  name: '0001_service',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE runs (
        run_id TEXT NOT NULL PRIMARY KEY,
        pid INTEGER NOT NULL,
        started_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE master_key_check (
        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
        sealed BLOB NOT NULL
      ) STRICT;
    `),
};
