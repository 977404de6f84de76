import type { Migration } from '../engine/sqlite/migrate.js';

const SIZES = [100, 10_000, 1_000_000] as const;

/**
 * One row for each range of `seq`, with a column for each status: a delivery that changes its status changes one row of each size
 * and not two, and totals are the sums of the widest ranges, without a table of their own.
 */
export const deliveryBuckets: Migration = {
  name: '0021_delivery_buckets',
  up: (sqlite) =>
    sqlite.exec(`
      DROP TRIGGER deliveries_inserted;
      DROP TRIGGER deliveries_deleted;
      DROP TRIGGER deliveries_changed;
      DROP TRIGGER buckets_inserted;
      DROP TRIGGER buckets_changed;
      DROP TABLE delivery_totals;
      DROP TABLE delivery_buckets;

      CREATE TABLE delivery_buckets (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        size INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        pending INTEGER NOT NULL DEFAULT 0,
        success INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (account_id, size, bucket)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO delivery_buckets
        SELECT account_id, size, seq / size, sum(status = 'pending'), sum(status = 'success'), sum(status = 'failed')
        FROM deliveries, (${SIZES.map((size) => `SELECT ${size} AS size`).join(' UNION ALL ')})
        GROUP BY account_id, size, seq / size;

      CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries BEGIN
        ${SIZES.map(
          (size) => `
        INSERT INTO delivery_buckets (account_id, size, bucket, pending, success, failed)
          VALUES (new.account_id, ${size}, new.seq / ${size},
            new.status = 'pending', new.status = 'success', new.status = 'failed')
          ON CONFLICT (account_id, size, bucket) DO UPDATE
            SET pending = pending + excluded.pending, success = success + excluded.success,
              failed = failed + excluded.failed;`,
        ).join('')}
      END;
      CREATE TRIGGER deliveries_changed AFTER UPDATE OF status ON deliveries WHEN old.status <> new.status BEGIN
        ${SIZES.map(
          (size) => `
        UPDATE delivery_buckets
          SET pending = pending + (new.status = 'pending') - (old.status = 'pending'),
            success = success + (new.status = 'success') - (old.status = 'success'),
            failed = failed + (new.status = 'failed') - (old.status = 'failed')
          WHERE account_id = new.account_id AND size = ${size} AND bucket = new.seq / ${size};`,
        ).join('')}
      END;
    `),
};
