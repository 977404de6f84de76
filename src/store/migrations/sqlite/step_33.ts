import type { Migration } from '../../engine/sqlite/migrate.js';

/** Work that pages of the dashboard have started, for all instances to see. */
export const step33: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE page_tasks (
        account_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        instance TEXT NOT NULL,
        error TEXT,
        since TEXT NOT NULL,
        PRIMARY KEY (account_id, listing_pk),
        FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX page_tasks_by_age ON page_tasks (since);
    `);
  },
};
