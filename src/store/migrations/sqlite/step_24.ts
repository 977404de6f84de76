import type { Migration } from '../../engine/sqlite/migrate.js';

/** Jobs of other kinds than publishing; what the marketplace last said of a listing, and what was last written to it. */
export const step24: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE jobs_24 (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        job_id TEXT NOT NULL,
        kind TEXT NOT NULL DEFAULT 'publish',
        listing_pk INTEGER,
        state TEXT,
        status TEXT NOT NULL,
        plan TEXT NOT NULL,
        results TEXT,
        error_message TEXT,
        created_at TEXT NOT NULL,
        completed_at TEXT,
        claimed_by TEXT,
        claimed_until TEXT,
        fence INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (account_id, job_id),
        FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
      ) STRICT;
      INSERT INTO jobs_24 (account_id, job_id, listing_pk, state, status, plan, results, error_message, created_at,
          completed_at, claimed_by, claimed_until, fence)
        SELECT account_id, job_id, listing_pk, state, status, plan, results, error_message, created_at,
          completed_at, claimed_by, claimed_until, fence FROM jobs;
      DROP TABLE jobs;
      ALTER TABLE jobs_24 RENAME TO jobs;
      CREATE INDEX jobs_by_listing ON jobs (account_id, listing_pk);
      CREATE UNIQUE INDEX jobs_one_running ON jobs (account_id, listing_pk)
        WHERE status = 'processing';
      CREATE INDEX jobs_running ON jobs (created_at)
        WHERE status = 'processing';
      CREATE INDEX jobs_with_plan ON jobs (completed_at)
        WHERE completed_at IS NOT NULL AND plan <> 'null';

      CREATE TABLE job_parts (
        account_id TEXT NOT NULL,
        job_id TEXT NOT NULL,
        part_id INTEGER NOT NULL,
        progress TEXT NOT NULL,
        PRIMARY KEY (account_id, job_id, part_id),
        FOREIGN KEY (account_id, job_id) REFERENCES jobs (account_id, job_id) ON DELETE CASCADE
      ) STRICT;

      ALTER TABLE publications ADD COLUMN state TEXT;
      ALTER TABLE publications ADD COLUMN seen_at TEXT;
      ALTER TABLE publications ADD COLUMN ends_at TEXT;

      CREATE TABLE snapshots (
        account_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        shop_id INTEGER NOT NULL,
        snapshot TEXT NOT NULL,
        taken_at TEXT NOT NULL,
        PRIMARY KEY (account_id, listing_pk, shop_id),
        FOREIGN KEY (account_id, listing_pk, shop_id)
          REFERENCES publications (account_id, listing_pk, shop_id) ON DELETE CASCADE
      ) STRICT;

      CREATE TABLE listing_looks (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        claimed_by TEXT,
        claimed_until TEXT,
        fence INTEGER NOT NULL DEFAULT 0,
        next_at TEXT,
        PRIMARY KEY (account_id, shop_id)
      ) STRICT;
    `);
  },
};
