/**
 * Uploaded files of accounts, and files kept so that a change can be undone. Their bytes are stored outside of the database,
 * under their SHA-256.
 */
export const UPLOADS = `
  CREATE TABLE uploads (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    upload_id TEXT COLLATE "C" NOT NULL,
    sha256 TEXT COLLATE "C" NOT NULL,
    filename TEXT COLLATE "C" NOT NULL,
    size_bytes BIGINT NOT NULL,
    content_type TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, upload_id)
  );
  CREATE INDEX uploads_by_expiry ON uploads (expires_at, account_id, upload_id);
  CREATE INDEX uploads_by_content ON uploads (sha256);

  CREATE TABLE upload_totals (
    account_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (account_id) ON DELETE CASCADE,
    total BIGINT NOT NULL DEFAULT 0,
    bytes BIGINT NOT NULL
  );

  CREATE TABLE upload_links (
    token_sha256 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    type TEXT COLLATE "C" NOT NULL,
    filename TEXT COLLATE "C",
    expires_at TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C",
    grant_id TEXT COLLATE "C"
  );
  CREATE INDEX upload_links_by_expiry ON upload_links (expires_at);

  CREATE TABLE kept_files (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    sha256 TEXT COLLATE "C" NOT NULL,
    keep_until TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, sha256)
  );
  CREATE INDEX kept_files_by_sha256 ON kept_files (sha256);
  CREATE INDEX kept_files_by_time ON kept_files (keep_until);
`;
