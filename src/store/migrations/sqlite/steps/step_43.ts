import type { Migration } from '../../../engine/sqlite/migrate.js';

/** Exports of listings as sheets, the edits of an uploaded sheet, and one-time download addresses. */
export const step43: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE sheets (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        version TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (account_id, version)
      ) STRICT;
      CREATE INDEX sheets_by_time ON sheets (account_id, created_at);
      CREATE INDEX sheets_by_end ON sheets (expires_at);

      CREATE TABLE batch_edits (
        account_id TEXT NOT NULL,
        batch_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        edits TEXT NOT NULL,
        PRIMARY KEY (account_id, batch_id, listing_pk),
        FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;

      ALTER TABLE upload_links ADD COLUMN download TEXT;
    `);
  },
};
