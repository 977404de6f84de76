import type { Migration } from '../engine/sqlite/migrate.js';

/**
 * Listings and their jobs grow without end, so their totals are kept by triggers, as those of deliveries are, and what is on the
 * marketplace in a shop is counted in an index of its own.
 */
export const history: Migration = {
  name: '0020_history',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE listing_totals (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (account_id, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO listing_totals SELECT account_id, status, count(*) FROM listings GROUP BY account_id, status;
      CREATE TRIGGER listings_inserted AFTER INSERT ON listings BEGIN
        INSERT INTO listing_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;
      CREATE TRIGGER listings_deleted AFTER DELETE ON listings BEGIN
        UPDATE listing_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
      END;
      CREATE TRIGGER listings_changed AFTER UPDATE OF status ON listings WHEN old.status <> new.status BEGIN
        UPDATE listing_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
        INSERT INTO listing_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;

      CREATE TABLE job_totals (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        status TEXT NOT NULL,
        total INTEGER NOT NULL,
        PRIMARY KEY (account_id, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO job_totals SELECT account_id, status, count(*) FROM jobs GROUP BY account_id, status;
      CREATE TRIGGER jobs_inserted AFTER INSERT ON jobs BEGIN
        INSERT INTO job_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;
      CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
        UPDATE job_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
      END;
      CREATE TRIGGER jobs_changed AFTER UPDATE OF status ON jobs WHEN old.status <> new.status BEGIN
        UPDATE job_totals SET total = total - 1 WHERE account_id = old.account_id AND status = old.status;
        INSERT INTO job_totals (account_id, status, total) VALUES (new.account_id, new.status, 1)
          ON CONFLICT (account_id, status) DO UPDATE SET total = total + 1;
      END;

      CREATE INDEX publications_published ON publications (account_id, shop_id, listing_id)
        WHERE listing_id IS NOT NULL;
    `),
};
