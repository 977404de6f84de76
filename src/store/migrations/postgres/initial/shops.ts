/** Connected shops with their tokens and applications, and stored copies of the marketplace's categories. */
export const SHOPS = `
  CREATE TABLE shops (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    shop_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    details TEXT COLLATE "C" NOT NULL,
    shipping_profiles TEXT COLLATE "C" NOT NULL,
    shop_sections TEXT COLLATE "C" NOT NULL,
    return_policies TEXT COLLATE "C" NOT NULL,
    processing_profiles TEXT COLLATE "C" NOT NULL,
    production_partners TEXT COLLATE "C" NOT NULL,
    last_synced_at TEXT COLLATE "C" NOT NULL,
    is_reconnect_required BIGINT NOT NULL CHECK (is_reconnect_required IN (0, 1)),
    PRIMARY KEY (account_id, shop_id)
  );

  CREATE TABLE shop_tokens (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    shop_id BIGINT NOT NULL,
    access_token BYTEA NOT NULL,
    refresh_token BYTEA NOT NULL,
    access_expires_at TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    keystring TEXT COLLATE "C",
    PRIMARY KEY (account_id, shop_id)
  );

  CREATE TABLE applications (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    keystring TEXT COLLATE "C" NOT NULL,
    shared_secret BYTEA NOT NULL,
    webhook_secret BYTEA,
    created_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, keystring)
  );

  CREATE TABLE refresh_locks (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    shop_id BIGINT NOT NULL,
    owner TEXT COLLATE "C",
    fence BIGINT NOT NULL,
    PRIMARY KEY (account_id, shop_id)
  );

  CREATE TABLE connect_requests (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    state_sha256 TEXT COLLATE "C" NOT NULL UNIQUE,
    code_verifier BYTEA,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    shop_id BIGINT,
    browser_sha256 TEXT COLLATE "C",
    return_path TEXT COLLATE "C",
    expires_at TEXT COLLATE "C" NOT NULL,
    taken_at TEXT COLLATE "C",
    outcome TEXT COLLATE "C",
    keystring TEXT COLLATE "C",
    shared_secret BYTEA,
    webhook_secret BYTEA,
    PRIMARY KEY (account_id, state_sha256)
  );
  CREATE INDEX connect_requests_by_expiry ON connect_requests (expires_at);

  CREATE TABLE category_schemas (
    category_id BIGINT NOT NULL PRIMARY KEY,
    schema TEXT COLLATE "C" NOT NULL,
    fetched_at TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE category_tree (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    categories TEXT COLLATE "C" NOT NULL,
    fetched_at TEXT COLLATE "C" NOT NULL
  );
`;
