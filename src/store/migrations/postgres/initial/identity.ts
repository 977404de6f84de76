/** Callers: accounts, API keys, sessions of the dashboard, authorized programs, and used continuation tokens. */
export const IDENTITY = `
  CREATE TABLE accounts (
    account_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    is_default BIGINT NOT NULL CHECK (is_default IN (0, 1)),
    created_at TEXT COLLATE "C" NOT NULL
  );
  CREATE UNIQUE INDEX accounts_by_name ON accounts (name);
  CREATE UNIQUE INDEX accounts_one_default ON accounts (is_default)
    WHERE is_default = 1;

  CREATE TABLE api_keys (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    key_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    prefix TEXT COLLATE "C" NOT NULL,
    key_sha256 TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at TEXT COLLATE "C" NOT NULL,
    last_used_at TEXT COLLATE "C",
    revoked_at TEXT COLLATE "C",
    expires_at TEXT COLLATE "C",
    is_read_only BIGINT NOT NULL DEFAULT 0 CHECK (is_read_only IN (0, 1)),
    PRIMARY KEY (account_id, key_id)
  );

  CREATE TABLE sessions (
    token_sha256 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    key_id TEXT COLLATE "C",
    created_at TEXT COLLATE "C" NOT NULL,
    last_used_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  CREATE TABLE sign_in_links (
    token_sha256 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    expires_at TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX sign_in_links_by_expiry ON sign_in_links (expires_at);

  CREATE TABLE oauth_clients (
    client_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    redirect_uris TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    is_used BIGINT NOT NULL CHECK (is_used IN (0, 1))
  );
  CREATE INDEX oauth_clients_unused ON oauth_clients (created_at)
    WHERE is_used = 0;

  CREATE TABLE grants (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    grant_id TEXT COLLATE "C" NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    client_name TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    code_sha256 TEXT COLLATE "C" NOT NULL UNIQUE,
    code_challenge TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    activated_at TEXT COLLATE "C",
    last_used_at TEXT COLLATE "C",
    access_sha256 TEXT COLLATE "C" UNIQUE,
    access_expires_at TEXT COLLATE "C",
    family_sha256 TEXT COLLATE "C" UNIQUE,
    refresh_sha256 TEXT COLLATE "C",
    expires_at TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C",
    scope TEXT COLLATE "C" NOT NULL DEFAULT 'read write' CHECK (scope IN ('read', 'read write')),
    PRIMARY KEY (account_id, grant_id)
  );
  CREATE INDEX grants_by_client ON grants (client_id);
  CREATE INDEX grants_by_expiry ON grants (expires_at);

  CREATE TABLE taken_continuations (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    continuation_id TEXT COLLATE "C" NOT NULL,
    forget_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, continuation_id)
  );
  CREATE INDEX taken_continuations_by_time ON taken_continuations (forget_at);
`;
