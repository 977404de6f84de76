import type BetterSqlite3 from 'better-sqlite3';
import type { Migration } from '../../engine/sqlite/migrate.js';

/**
 * Brings a folder of version 22 to the version that a new one begins with. Totals are kept by the code that writes, so the triggers
 * that kept them go; deliveries are counted by account and status, and their pages follow `id`. Which uploads a listing names is
 * kept beside it. Claims carry a fence. Processes are known by the locks they hold, so what was held by those of before is free.
 */
export const from22: Migration = {
  up: (sqlite) =>
    sqlite.exec(`
      DROP TABLE runs;

      DROP TRIGGER listings_inserted;
      DROP TRIGGER listings_deleted;
      DROP TRIGGER listings_changed;
      DROP TRIGGER jobs_inserted;
      DROP TRIGGER jobs_deleted;
      DROP TRIGGER jobs_changed;
      DROP TRIGGER uploads_inserted;
      DROP TRIGGER uploads_deleted;
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

      CREATE INDEX uploads_by_expiry ON uploads (expires_at, account_id, upload_id);
      CREATE INDEX uploads_by_content ON uploads (sha256);
      CREATE TABLE listing_uploads (
        account_id TEXT NOT NULL,
        upload_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        PRIMARY KEY (account_id, upload_id, listing_pk),
        FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX listing_uploads_by_listing ON listing_uploads (account_id, listing_pk);
      INSERT OR IGNORE INTO listing_uploads
        SELECT account_id, substr(rest, 1, instr(rest, '/') - 1), listing_pk FROM (
          SELECT listings.account_id, listings.listing_pk, substr(part.value, length('service-upload://') + 1) AS rest
          FROM listings, json_tree(listings.request) AS part
          WHERE part.type = 'text' AND part.value LIKE 'service-upload://%/%'
        );

      ALTER TABLE order_polls ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE order_polls ADD COLUMN looked_at TEXT;
      ALTER TABLE order_polls RENAME COLUMN owner TO claimed_by;
      ALTER TABLE order_polls RENAME COLUMN lease_expires_at TO claimed_until;
      ALTER TABLE jobs RENAME COLUMN lease_owner TO claimed_by;
      ALTER TABLE jobs RENAME COLUMN lease_expires_at TO claimed_until;

      DROP TABLE refresh_locks;
      CREATE TABLE refresh_locks (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        shop_id INTEGER NOT NULL,
        owner TEXT,
        fence INTEGER NOT NULL,
        PRIMARY KEY (account_id, shop_id)
      ) STRICT, WITHOUT ROWID;
    `),
};

/**
 * Whether the file is of version 22 and a process of that was killed: each had a row, which a clean stop took away. Ask it while no
 * other process is connected, since one that runs has its row too.
 */
export function hasKilledRuns(sqlite: BetterSqlite3.Database): boolean {
  if (sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() === undefined) return false;
  return sqlite.prepare('SELECT 1 FROM runs LIMIT 1').get() !== undefined;
}
