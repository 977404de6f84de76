import type { Migration } from '../engine/sqlite/migrate.js';

/** An account is called by its name on the command line, so no two have the same; the older one keeps it. */
export const accountNames: Migration = {
  name: '0014_account_names',
  up: (sqlite) =>
    sqlite.exec(`
      UPDATE accounts SET name = name || ' ' || account_id
        WHERE EXISTS (
          SELECT 1 FROM accounts AS older
            WHERE older.name = accounts.name
              AND (older.created_at, older.account_id) < (accounts.created_at, accounts.account_id)
        );
      CREATE UNIQUE INDEX accounts_by_name ON accounts (name);
    `),
};
