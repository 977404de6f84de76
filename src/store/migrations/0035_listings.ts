import type { Migration } from '../engine/sqlite/migrate.js';

/** What writes listings and jobs keeps their totals itself. */
export const listingTotals: Migration = {
  name: '0035_listings',
  up: (sqlite) =>
    sqlite.exec(`
      DROP TRIGGER listings_inserted;
      DROP TRIGGER listings_deleted;
      DROP TRIGGER listings_changed;
      DROP TRIGGER jobs_inserted;
      DROP TRIGGER jobs_deleted;
      DROP TRIGGER jobs_changed;
    `),
};
