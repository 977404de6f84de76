/**
 * Connected shops with their tokens, the applications that accounts bring, and stored copies of the marketplace's categories.
 * Tokens do not refer to shops: the first tokens are saved before their shop is read.
 */
export const SHOPS = `
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
    keystring TEXT,
    PRIMARY KEY (account_id, shop_id)
  ) STRICT;

  CREATE TABLE applications (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    keystring TEXT NOT NULL,
    shared_secret BLOB NOT NULL,
    webhook_secret BLOB,
    created_at TEXT NOT NULL,
    PRIMARY KEY (account_id, keystring)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE refresh_locks (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    shop_id INTEGER NOT NULL,
    owner TEXT,
    fence INTEGER NOT NULL,
    PRIMARY KEY (account_id, shop_id)
  ) STRICT, WITHOUT ROWID;

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
    keystring TEXT,
    shared_secret BLOB,
    webhook_secret BLOB,
    PRIMARY KEY (account_id, state_sha256)
  ) STRICT;
  CREATE INDEX connect_requests_by_expiry ON connect_requests (expires_at);

  CREATE TABLE category_schemas (
    category_id INTEGER NOT NULL PRIMARY KEY,
    schema TEXT NOT NULL,
    fetched_at TEXT NOT NULL
  ) STRICT;

  CREATE TABLE category_tree (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    categories TEXT NOT NULL,
    fetched_at TEXT NOT NULL
  ) STRICT;
`;
