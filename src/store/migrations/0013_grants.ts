import type { Migration } from '../engine/sqlite/migrate.js';

/** What assistants were allowed, and the clients that registered themselves: those belong to nobody yet. */
export const grants: Migration = {
  name: '0013_grants',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE oauth_clients (
        client_id TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        redirect_uris TEXT NOT NULL,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        is_used INTEGER NOT NULL CHECK (is_used IN (0, 1))
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE is_used = 0;

      CREATE TABLE grants (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        grant_id TEXT NOT NULL,
        client_id TEXT NOT NULL,
        client_name TEXT NOT NULL,
        redirect_uri TEXT NOT NULL,
        code_sha256 TEXT NOT NULL UNIQUE,
        code_challenge TEXT NOT NULL,
        created_at TEXT NOT NULL,
        activated_at TEXT,
        last_used_at TEXT,
        access_sha256 TEXT UNIQUE,
        access_expires_at TEXT,
        family_sha256 TEXT UNIQUE,
        refresh_sha256 TEXT,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (account_id, grant_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX grants_by_client ON grants (client_id);
      CREATE INDEX grants_by_expiry ON grants (expires_at);
    `),
};
