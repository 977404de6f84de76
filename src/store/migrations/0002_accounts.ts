import type { Migration } from '../engine/sqlite/migrate.js';

export const accounts: Migration = {
  name: '0002_accounts',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE accounts (
        account_id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
        created_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX accounts_one_default ON accounts (is_default) WHERE is_default = 1;

      CREATE TABLE api_keys (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        key_id TEXT NOT NULL,
        name TEXT NOT NULL,
        prefix TEXT NOT NULL,
        key_sha256 TEXT NOT NULL UNIQUE,
        created_at TEXT NOT NULL,
        last_used_at TEXT,
        revoked_at TEXT,
        PRIMARY KEY (account_id, key_id)
      ) STRICT, WITHOUT ROWID;
    `),
};
