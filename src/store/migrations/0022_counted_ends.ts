import type { Migration } from '../engine/sqlite/migrate.js';

const SIZES = [100, 10_000, 1_000_000] as const;

/**
 * Whoever ends claimed deliveries, many at once, takes `claimed_until` away with the status, and counts them in delivery_buckets
 * together; a delivery that changes in any other way is counted by the trigger, as before.
 */
export const countedEnds: Migration = {
  name: '0022_counted_ends',
  up: (sqlite) =>
    sqlite.exec(`
      DROP TRIGGER deliveries_changed;
      CREATE TRIGGER deliveries_changed AFTER UPDATE OF status ON deliveries
        WHEN old.status <> new.status AND (old.claimed_until IS NULL OR new.claimed_until IS NOT NULL)
      BEGIN
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
