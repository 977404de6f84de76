import type { Migration } from '../engine/sqlite/migrate.js';

/**
 * The outbox. Each delivery is claimed at most once in its life. `seq` numbers an account's deliveries without gaps (none is ever
 * deleted by itself), and delivery_buckets counts them by status in ranges of `seq` of 100, 10,000 and 1,000,000, so that a far
 * page is found by adding up a few hundred numbers.
 */
export const delivering: Migration = {
  name: '0009_delivering',
  up: (sqlite) =>
    sqlite.exec(`
      ALTER TABLE events ADD COLUMN subject TEXT;
      ALTER TABLE events ADD COLUMN change_key TEXT;
      CREATE UNIQUE INDEX events_by_change ON events (account_id, change_key) WHERE change_key IS NOT NULL;
      CREATE INDEX events_with_payload ON events (created_at) WHERE payload IS NOT NULL;

      ALTER TABLE webhook_endpoints ADD COLUMN switched_off_at TEXT;
      ALTER TABLE webhook_endpoints ADD COLUMN switch_off_reason TEXT;
      ALTER TABLE webhook_endpoints ADD COLUMN failing_since TEXT;
      ALTER TABLE webhook_endpoints ADD COLUMN last_failed_at TEXT;

      ALTER TABLE deliveries ADD COLUMN seq INTEGER;
      ALTER TABLE deliveries ADD COLUMN subject TEXT;
      ALTER TABLE deliveries ADD COLUMN step INTEGER;
      ALTER TABLE deliveries ADD COLUMN due_at TEXT;
      ALTER TABLE deliveries ADD COLUMN claimed_by TEXT;
      ALTER TABLE deliveries ADD COLUMN claimed_until TEXT;
      UPDATE deliveries SET seq = numbered.seq
        FROM (SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY id) AS seq FROM deliveries) AS numbered
        WHERE numbered.id = deliveries.id;
      UPDATE deliveries SET claimed_by = 'unknown', claimed_until = created_at WHERE status = 'pending';

      DROP INDEX deliveries_by_account;
      DROP INDEX deliveries_by_status;
      CREATE UNIQUE INDEX deliveries_by_seq ON deliveries (account_id, seq);
      CREATE INDEX deliveries_by_status ON deliveries (account_id, status, seq);
      CREATE INDEX deliveries_due ON deliveries (account_id, due_at, id)
        WHERE status = 'pending' AND claimed_by IS NULL AND due_at IS NOT NULL;
      CREATE INDEX deliveries_claimed ON deliveries (claimed_by, claimed_until)
        WHERE status = 'pending' AND claimed_by IS NOT NULL;
      CREATE INDEX deliveries_first ON deliveries (account_id, subject, id)
        WHERE status = 'pending' AND attempt = 1 AND subject IS NOT NULL;

      CREATE TABLE delivery_buckets (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        size INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (account_id, status, size, bucket)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO delivery_buckets
        SELECT account_id, status, size, seq / size, count(*)
        FROM deliveries, (SELECT 100 AS size UNION ALL SELECT 10000 UNION ALL SELECT 1000000)
        GROUP BY account_id, status, size, seq / size;

      CREATE TRIGGER buckets_inserted AFTER INSERT ON deliveries BEGIN
        INSERT INTO delivery_buckets (account_id, status, size, bucket, total)
          VALUES (new.account_id, new.status, 100, new.seq / 100, 1),
            (new.account_id, new.status, 10000, new.seq / 10000, 1),
            (new.account_id, new.status, 1000000, new.seq / 1000000, 1)
          ON CONFLICT (account_id, status, size, bucket) DO UPDATE SET total = total + 1;
      END;
      CREATE TRIGGER buckets_changed AFTER UPDATE OF status ON deliveries WHEN old.status <> new.status BEGIN
        UPDATE delivery_buckets SET total = total - 1
          WHERE account_id = old.account_id AND status = old.status
            AND (size, bucket) IN (VALUES (100, old.seq / 100), (10000, old.seq / 10000), (1000000, old.seq / 1000000));
        INSERT INTO delivery_buckets (account_id, status, size, bucket, total)
          VALUES (new.account_id, new.status, 100, new.seq / 100, 1),
            (new.account_id, new.status, 10000, new.seq / 10000, 1),
            (new.account_id, new.status, 1000000, new.seq / 1000000, 1)
          ON CONFLICT (account_id, status, size, bucket) DO UPDATE SET total = total + 1;
      END;
    `),
};
