import type { Migration } from '../engine/sqlite/migrate.js';

/** Deliveries grow without end, so their totals are kept by triggers: counting a million rows for every page would be slow. */
export const webhooks: Migration = {
  name: '0007_webhooks',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE webhook_endpoints (
        account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id) ON DELETE CASCADE,
        url TEXT NOT NULL,
        events TEXT NOT NULL,
        is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
        secret BLOB NOT NULL,
        previous_secret BLOB,
        previous_secret_expires_at TEXT
      ) STRICT;

      CREATE TABLE events (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        event_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        payload TEXT,
        created_at TEXT NOT NULL,
        PRIMARY KEY (account_id, event_id)
      ) STRICT;

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
        UNIQUE (account_id, event_id, attempt),
        FOREIGN KEY (account_id, event_id) REFERENCES events (account_id, event_id) ON DELETE CASCADE
      ) STRICT;
      CREATE INDEX deliveries_by_account ON deliveries (account_id, id);
      CREATE INDEX deliveries_by_status ON deliveries (account_id, status, id);

      CREATE TABLE delivery_totals (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (account_id, status)
      ) STRICT, WITHOUT ROWID;

      CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries BEGIN
        INSERT INTO delivery_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;
      CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
        UPDATE delivery_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
      END;
      CREATE TRIGGER deliveries_changed AFTER UPDATE OF status ON deliveries WHEN old.status <> new.status BEGIN
        UPDATE delivery_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
        INSERT INTO delivery_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;
    `),
};
