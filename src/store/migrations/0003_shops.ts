import type { Migration } from '../engine/sqlite/migrate.js';

/** Tokens and locks do not refer to shops: the first tokens come before the first sync. */
export const shops: Migration = {
  name: '0003_shops',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE shops (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        details TEXT NOT NULL,
        shipping_profiles TEXT NOT NULL,
        shop_sections TEXT NOT NULL,
        return_policies TEXT NOT NULL,
        processing_profiles TEXT NOT NULL,
        production_partners TEXT NOT NULL,
        last_synced_at TEXT NOT NULL,
        is_reconnect_required INTEGER NOT NULL CHECK (is_reconnect_required IN (0, 1)),
        PRIMARY KEY (account_id, shop_id)
      ) STRICT;

      CREATE TABLE shop_tokens (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        access_token BLOB NOT NULL,
        refresh_token BLOB NOT NULL,
        access_expires_at TEXT NOT NULL,
        scopes TEXT NOT NULL,
        PRIMARY KEY (account_id, shop_id)
      ) STRICT;

      CREATE TABLE refresh_locks (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        owner TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (account_id, shop_id)
      ) STRICT, WITHOUT ROWID;
    `),
};
