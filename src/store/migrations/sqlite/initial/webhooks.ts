/** Endpoints of accounts, events, and each time an event is sent. */
export const WEBHOOKS = `
  CREATE TABLE webhook_endpoints (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
    secret BLOB NOT NULL,
    previous_secret BLOB,
    previous_secret_expires_at TEXT,
    switched_off_at TEXT,
    switch_off_reason TEXT,
    failing_since TEXT,
    last_failed_at TEXT
  ) STRICT;

  CREATE TABLE events (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    payload TEXT,
    sealed_payload BLOB,
    created_at TEXT NOT NULL,
    subject TEXT,
    change_key TEXT,
    PRIMARY KEY (account_id, event_id)
  ) STRICT;
  CREATE UNIQUE INDEX events_by_change ON events (account_id, change_key)
    WHERE change_key IS NOT NULL;
  CREATE INDEX events_with_payload ON events (created_at)
    WHERE sealed_payload IS NOT NULL;
  CREATE INDEX events_without_payload ON events (created_at)
    WHERE sealed_payload IS NULL;
  CREATE INDEX events_in_clear ON events (account_id, event_id)
    WHERE payload IS NOT NULL;

  CREATE TABLE deliveries (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    url TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    response_status_code INTEGER,
    error TEXT,
    created_at TEXT NOT NULL,
    completed_at TEXT,
    subject TEXT,
    step INTEGER,
    due_at TEXT,
    claimed_by TEXT,
    claimed_until TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account_id, event_id, attempt),
    FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, event_id) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX deliveries_by_account ON deliveries (account_id, id);
  CREATE INDEX deliveries_by_status ON deliveries (account_id, status, id);
  CREATE INDEX deliveries_claimed ON deliveries (claimed_by, claimed_until)
    WHERE status = 'pending' AND claimed_by IS NOT NULL;
  CREATE INDEX deliveries_due ON deliveries (account_id, due_at, id)
    WHERE status = 'pending' AND claimed_by IS NULL AND due_at IS NOT NULL;
  CREATE INDEX deliveries_in_order ON deliveries (account_id, subject, id)
    WHERE status = 'pending' AND step IS NOT NULL AND subject IS NOT NULL;

  CREATE TABLE delivery_totals (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (account_id, status)
  ) STRICT, WITHOUT ROWID;
`;
