import type { Migration } from '../../engine/sqlite/migrate.js';

/**
 * Activations get a table of their own, since a listing may go live more than once. Columns record when the managed listings of a
 * shop were read again.
 */
export const step25: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE activations (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        job_id TEXT NOT NULL,
        shop_id INTEGER NOT NULL,
        listing_pk INTEGER NOT NULL,
        intended_at TEXT NOT NULL,
        PRIMARY KEY (account_id, job_id, shop_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX activations_by_time ON activations (account_id, intended_at);
      INSERT INTO activations (account_id, job_id, shop_id, listing_pk, intended_at)
        SELECT publications.account_id, listings.job_id, publications.shop_id, publications.listing_pk,
          publications.activation_intended_at
        FROM publications JOIN listings
          ON listings.account_id = publications.account_id AND listings.listing_pk = publications.listing_pk
        WHERE publications.activation_intended_at IS NOT NULL AND listings.job_id IS NOT NULL;
      DROP INDEX publications_by_activation;

      ALTER TABLE jobs ADD COLUMN fees INTEGER NOT NULL DEFAULT 0;
      UPDATE jobs SET fees = (
          SELECT count(*) FROM publications
          WHERE publications.account_id = jobs.account_id AND publications.listing_pk = jobs.listing_pk
        )
        WHERE status = 'processing' AND state = 'active';

      ALTER TABLE publications ADD COLUMN shown TEXT;
      ALTER TABLE publications ADD COLUMN stale_since TEXT;
      CREATE INDEX publications_stale ON publications (account_id, shop_id) WHERE stale_since IS NOT NULL;

      ALTER TABLE listing_looks ADD COLUMN looked_at TEXT;
      ALTER TABLE listing_looks ADD COLUMN whole_at TEXT;
    `);
  },
};
