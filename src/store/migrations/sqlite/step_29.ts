import type { Migration } from '../../engine/sqlite/migrate.js';

/** The jobs of a listing in the order in which they were made; the clock may have been set between them. */
export const step29: Migration = {
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE jobs ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
      UPDATE jobs SET number = (
        SELECT count(*) FROM jobs AS other
          WHERE other.account_id = jobs.account_id AND other.listing_pk = jobs.listing_pk AND other.rowid <= jobs.rowid
      );
    `);
  },
};
