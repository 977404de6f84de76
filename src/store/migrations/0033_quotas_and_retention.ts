import type { Migration } from '../engine/sqlite/migrate.js';

const SIZES = [100, 10_000, 1_000_000] as const;

/**
 * What an account has is counted by triggers in bytes too, for its quotas. What is swept can be found by its age, and deliveries
 * that go are no longer counted.
 */
export const quotasAndRetention: Migration = {
  name: '0033_quotas_and_retention',
  up: (sqlite) =>
    sqlite.exec(`
      ALTER TABLE listing_totals ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
      UPDATE listing_totals SET bytes = (
        SELECT coalesce(sum(octet_length(request)), 0) FROM listings
          WHERE listings.account_id = listing_totals.account_id AND listings.status = listing_totals.status
      );
      DROP TRIGGER listings_inserted;
      DROP TRIGGER listings_deleted;
      DROP TRIGGER listings_changed;
      CREATE TRIGGER listings_inserted AFTER INSERT ON listings BEGIN
        INSERT INTO listing_totals (account_id, status, total, bytes)
          VALUES (new.account_id, new.status, 1, octet_length(new.request))
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1, bytes = bytes + excluded.bytes;
      END;
      CREATE TRIGGER listings_deleted AFTER DELETE ON listings BEGIN
        UPDATE listing_totals SET total = total - 1, bytes = bytes - octet_length(old.request)
          WHERE account_id = old.account_id AND status = old.status;
      END;
      CREATE TRIGGER listings_changed AFTER UPDATE OF status, request ON listings BEGIN
        UPDATE listing_totals SET total = total - 1, bytes = bytes - octet_length(old.request)
          WHERE account_id = old.account_id AND status = old.status;
        INSERT INTO listing_totals (account_id, status, total, bytes)
          VALUES (new.account_id, new.status, 1, octet_length(new.request))
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1, bytes = bytes + excluded.bytes;
      END;

      CREATE TABLE upload_totals (
        account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id) ON DELETE CASCADE,
        total INTEGER NOT NULL,
        bytes INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO upload_totals SELECT account_id, count(*), sum(size_bytes) FROM uploads GROUP BY account_id;
      CREATE TRIGGER uploads_inserted AFTER INSERT ON uploads BEGIN
        INSERT INTO upload_totals (account_id, total, bytes) VALUES (new.account_id, 1, new.size_bytes)
          ON CONFLICT (account_id) DO UPDATE SET total = total + 1, bytes = bytes + excluded.bytes;
      END;
      CREATE TRIGGER uploads_deleted AFTER DELETE ON uploads BEGIN
        UPDATE upload_totals SET total = total - 1, bytes = bytes - old.size_bytes
          WHERE account_id = old.account_id;
      END;

      CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
        ${SIZES.map(
          (size) => `
        UPDATE delivery_buckets
          SET pending = pending - (old.status = 'pending'), success = success - (old.status = 'success'),
            failed = failed - (old.status = 'failed')
          WHERE account_id = old.account_id AND size = ${size} AND bucket = old.seq / ${size};`,
        ).join('')}
      END;

      CREATE INDEX events_without_payload ON events (created_at) WHERE payload IS NULL;
      CREATE INDEX heard_orders_by_age ON heard_orders (created_at_s);
      CREATE INDEX key_bindings_by_age ON key_bindings (bound_at);
      CREATE INDEX jobs_with_plan ON jobs (completed_at) WHERE completed_at IS NOT NULL AND plan <> 'null';
    `),
};
