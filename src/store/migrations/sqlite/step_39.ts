import type { Migration } from '../../engine/sqlite/migrate.js';

/** An upload address ends with the key or the grant that asked for it. */
export const step39: Migration = {
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE upload_links ADD COLUMN key_id TEXT;
      ALTER TABLE upload_links ADD COLUMN grant_id TEXT;
    `);
  },
};
