/** Listings, the rows for finding them, how a repeated request is recognized, and the state of each listing in each shop. */
export const LISTINGS = `
  CREATE TABLE listings (
    listing_pk INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    state TEXT NOT NULL,
    request TEXT NOT NULL,
    warnings TEXT NOT NULL,
    job_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (account_id, listing_pk)
  ) STRICT;
  CREATE INDEX listings_by_status ON listings (account_id, status, listing_pk);
  CREATE INDEX listings_kept ON listings (account_id, listing_pk)
    WHERE status <> 'given_up';
  CREATE INDEX listings_by_change ON listings (account_id, updated_at, listing_pk);

  CREATE TABLE listing_totals (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    bytes INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, status)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE listing_uploads (
    account_id TEXT NOT NULL,
    upload_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    PRIMARY KEY (account_id, upload_id, listing_pk),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX listing_uploads_by_listing ON listing_uploads (account_id, listing_pk);

  CREATE TABLE listing_words (
    account_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    words TEXT NOT NULL,
    rest TEXT NOT NULL DEFAULT '',
    shops TEXT NOT NULL,
    title_key TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (account_id, listing_pk),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX listing_words_by_title ON listing_words (account_id, title_key, listing_pk DESC);

  CREATE TABLE listing_terms (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    term TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    PRIMARY KEY (account_id, term, listing_pk)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE listing_term_endings (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    ending TEXT NOT NULL,
    term TEXT NOT NULL,
    PRIMARY KEY (account_id, ending, term)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE key_bindings (
    account_id TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    job_id TEXT,
    bound_at TEXT NOT NULL,
    PRIMARY KEY (account_id, key),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX key_bindings_by_age ON key_bindings (bound_at);
  CREATE INDEX key_bindings_by_listing ON key_bindings (account_id, listing_pk);

  CREATE TABLE digest_bindings (
    account_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    job_id TEXT,
    bound_at TEXT,
    PRIMARY KEY (account_id, digest),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX digest_bindings_by_listing ON digest_bindings (account_id, listing_pk);

  CREATE TABLE publications (
    account_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    shop_id INTEGER NOT NULL,
    listing_id INTEGER,
    progress TEXT NOT NULL,
    activation_intended_at TEXT,
    state TEXT,
    seen_at TEXT,
    ends_at TEXT,
    shown TEXT,
    stale_since TEXT,
    PRIMARY KEY (account_id, listing_pk, shop_id),
    UNIQUE (shop_id, listing_id),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX publications_published ON publications (account_id, shop_id, listing_id)
    WHERE listing_id IS NOT NULL;
  CREATE INDEX publications_stale ON publications (account_id, shop_id)
    WHERE stale_since IS NOT NULL;
  CREATE INDEX publications_by_state ON publications (account_id, state, listing_pk, shop_id)
    WHERE state IS NOT NULL;

  CREATE TABLE snapshots (
    account_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    shop_id INTEGER NOT NULL,
    snapshot TEXT NOT NULL,
    taken_at TEXT NOT NULL,
    PRIMARY KEY (account_id, listing_pk, shop_id),
    FOREIGN KEY (account_id, listing_pk, shop_id)
      REFERENCES publications (account_id, listing_pk, shop_id) ON DELETE CASCADE
  ) STRICT;

  CREATE TABLE activations (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    job_id TEXT NOT NULL,
    shop_id INTEGER NOT NULL,
    listing_pk INTEGER NOT NULL,
    intended_at TEXT NOT NULL,
    PRIMARY KEY (account_id, job_id, shop_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX activations_by_time ON activations (account_id, intended_at);

  CREATE TABLE edit_licenses (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    credential TEXT NOT NULL,
    body_digest TEXT NOT NULL,
    shop_id INTEGER NOT NULL,
    field TEXT NOT NULL,
    value_digest TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (account_id, credential, body_digest, shop_id, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX edit_licenses_by_end ON edit_licenses (expires_at);

  CREATE TABLE listing_looks (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    shop_id INTEGER NOT NULL,
    claimed_by TEXT,
    claimed_until TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    next_at TEXT,
    looked_at TEXT,
    whole_at TEXT,
    PRIMARY KEY (account_id, shop_id)
  ) STRICT;

  CREATE TABLE listing_hints (
    webhook_id TEXT NOT NULL PRIMARY KEY,
    received_at TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX listing_hints_received ON listing_hints (received_at);

  CREATE TABLE page_tasks (
    account_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    instance TEXT NOT NULL,
    error TEXT,
    since TEXT NOT NULL,
    PRIMARY KEY (account_id, listing_pk),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_tasks_by_age ON page_tasks (since);
`;
