import type { Migration } from '../engine/sqlite/migrate.js';

/** The state is the credential of whoever comes back with it, so a row is found by its hash alone. */
export const connect_requests: Migration = {
  name: '0011_connect_requests',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE connect_requests (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        state_sha256 TEXT NOT NULL UNIQUE,
        code_verifier BLOB,
        redirect_uri TEXT NOT NULL,
        shop_id INTEGER,
        browser_sha256 TEXT,
        return_path TEXT,
        expires_at TEXT NOT NULL,
        taken_at TEXT,
        outcome TEXT,
        PRIMARY KEY (account_id, state_sha256)
      ) STRICT;
      CREATE INDEX connect_requests_by_expiry ON connect_requests (expires_at);
    `),
};
