/** Listings, how a repeated request is recognised, and where a listing stands in each shop. */
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
    PRIMARY KEY (account_id, listing_pk, shop_id),
    UNIQUE (shop_id, listing_id),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX publications_by_activation ON publications (account_id, activation_intended_at);
  CREATE INDEX publications_published ON publications (account_id, shop_id, listing_id)
    WHERE listing_id IS NOT NULL;
`;
