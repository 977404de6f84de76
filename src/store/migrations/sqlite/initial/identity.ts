/** Tables of callers: accounts, API keys, sessions of the dashboard, authorized programs, and used continuation tokens. */
export const IDENTITY = `
  CREATE TABLE accounts (
    account_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    created_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX accounts_by_name ON accounts (name);
  CREATE UNIQUE INDEX accounts_one_default ON accounts (is_default)
    WHERE is_default = 1;

  CREATE TABLE api_keys (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    key_id TEXT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    key_sha256 TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT,
    expires_at TEXT,
    is_read_only INTEGER NOT NULL DEFAULT 0 CHECK (is_read_only IN (0, 1)),
    PRIMARY KEY (account_id, key_id)
  ) STRICT, WITHOUT ROWID;

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

  CREATE TABLE oauth_clients (
    client_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    is_used INTEGER NOT NULL CHECK (is_used IN (0, 1))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX oauth_clients_unused ON oauth_clients (created_at)
    WHERE is_used = 0;

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
    key_id TEXT,
    scope TEXT NOT NULL DEFAULT 'read write' CHECK (scope IN ('read', 'read write')),
    PRIMARY KEY (account_id, grant_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX grants_by_client ON grants (client_id);
  CREATE INDEX grants_by_expiry ON grants (expires_at);

  CREATE TABLE taken_continuations (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    continuation_id TEXT NOT NULL,
    forget_at TEXT NOT NULL,
    PRIMARY KEY (account_id, continuation_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX taken_continuations_by_time ON taken_continuations (forget_at);
`;
