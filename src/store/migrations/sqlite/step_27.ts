import type { Migration } from '../../engine/sqlite/migrate.js';

/** Applications that accounts bring, and which one a grant is for: null is the installation's own. */
export const step27: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE applications (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        keystring TEXT NOT NULL,
        shared_secret BLOB NOT NULL,
        webhook_secret BLOB,
        created_at TEXT NOT NULL,
        PRIMARY KEY (account_id, keystring)
      ) STRICT, WITHOUT ROWID;

      ALTER TABLE shop_tokens ADD COLUMN keystring TEXT;

      ALTER TABLE connect_requests ADD COLUMN keystring TEXT;
      ALTER TABLE connect_requests ADD COLUMN shared_secret BLOB;
      ALTER TABLE connect_requests ADD COLUMN webhook_secret BLOB;
    `);
  },
};
