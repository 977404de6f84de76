import type { Migration } from '../../engine/sqlite/migrate.js';

/** Of a listing with very long SKUs, only some text is searched. Listings that are there have that once they are saved again. */
export const step41: Migration = {
  up(sqlite) {
    sqlite.exec(`ALTER TABLE listing_words ADD COLUMN rest TEXT NOT NULL DEFAULT '';`);
  },
};
