import type { Migration } from '../engine/sqlite/migrate.js';

/**
 * Deliveries, looks at shops and their claims carry a fence. Deliveries are counted by account and status, by the code that changes
 * them, and their pages follow `id`: `seq`, the ranges of it that were counted, and the triggers go. `looked_at` tells a look that
 * is planned for later from one that a clock which was set back has moved away.
 */
export const webhookFences: Migration = {
  name: '0036_webhooks',
  up: (sqlite) =>
    sqlite.exec(`
      DROP TRIGGER deliveries_inserted;
      DROP TRIGGER deliveries_changed;
      DROP TRIGGER deliveries_deleted;
      DROP TABLE delivery_buckets;
      DROP INDEX deliveries_by_seq;
      DROP INDEX deliveries_by_status;
      ALTER TABLE deliveries DROP COLUMN seq;
      ALTER TABLE deliveries ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX deliveries_by_account ON deliveries (account_id, id);
      CREATE INDEX deliveries_by_status ON deliveries (account_id, status, id);

      CREATE TABLE delivery_totals (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (account_id, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO delivery_totals SELECT account_id, status, count(*) FROM deliveries GROUP BY account_id, status;

      ALTER TABLE order_polls ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE order_polls ADD COLUMN looked_at TEXT;
    `),
};
