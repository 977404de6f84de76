import type { Migration } from '../engine/sqlite/migrate.js';

/**
 * What holds what up. Locks on tokens belong to processes that live, and have no end of their own. An event is held up by each
 * delivery that is still planned of an earlier one of its subject, not by first attempts alone.
 */
export const held: Migration = {
  name: '0027_held',
  up: (sqlite) =>
    sqlite.exec(`
      ALTER TABLE refresh_locks DROP COLUMN expires_at;

      DROP INDEX deliveries_first;
      CREATE INDEX deliveries_in_order ON deliveries (account_id, subject, id)
        WHERE status = 'pending' AND step IS NOT NULL AND subject IS NOT NULL;
    `),
};
