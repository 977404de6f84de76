import type { Migration } from '../engine/sqlite/migrate.js';

/**
 * The lock on the tokens of a shop is a claim: a row stays, with the number of claims so far, and names its owner while there is one.
 * What was held by processes of before is free. Totals of uploads are counted by who adds and removes them.
 */
export const identity: Migration = {
  name: '0037_identity',
  up: (sqlite) =>
    sqlite.exec(`
      DROP TABLE refresh_locks;
      CREATE TABLE refresh_locks (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        owner TEXT,
        fence INTEGER NOT NULL,
        PRIMARY KEY (account_id, shop_id)
      ) STRICT, WITHOUT ROWID;

      DROP TRIGGER uploads_inserted;
      DROP TRIGGER uploads_deleted;
    `),
};
