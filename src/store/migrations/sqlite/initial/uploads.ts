/**
 * Uploaded files of accounts, and files kept so that a change can be undone. Their bytes are stored outside of the database,
 * under their SHA-256.
 */
export const UPLOADS = `
  CREATE TABLE uploads (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    upload_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    filename TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    type TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (account_id, upload_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX uploads_by_expiry ON uploads (expires_at, account_id, upload_id);
  CREATE INDEX uploads_by_content ON uploads (sha256);

  CREATE TABLE upload_totals (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id) ON DELETE CASCADE,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE upload_links (
    token_sha256 TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    filename TEXT,
    expires_at TEXT NOT NULL,
    key_id TEXT,
    grant_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX upload_links_by_expiry ON upload_links (expires_at);

  CREATE TABLE kept_files (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    sha256 TEXT NOT NULL,
    keep_until TEXT NOT NULL,
    PRIMARY KEY (account_id, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX kept_files_by_sha256 ON kept_files (sha256);
  CREATE INDEX kept_files_by_time ON kept_files (keep_until);
`;
