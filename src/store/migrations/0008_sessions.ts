import type { Migration } from '../engine/sqlite/migrate.js';

export const sessions: Migration = {
  name: '0008_sessions',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE sessions (
        token_sha256 TEXT NOT NULL PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        key_id TEXT,
        created_at TEXT NOT NULL,
        last_used_at TEXT NOT NULL,
        expires_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sessions_by_expiry ON sessions (expires_at);

      CREATE TABLE sign_in_links (
        token_sha256 TEXT NOT NULL PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        expires_at TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);
    `),
};
