import type { Migration } from '../../../engine/sqlite/migrate.js';

/**
 * Tables for changes of many listings at once. Drops the column for unencrypted bodies of events: they are stored encrypted.
 */
export const step42: Migration = {
  up(sqlite) {
    sqlite.exec(`
      DROP INDEX events_in_clear;
      ALTER TABLE events DROP COLUMN payload;

      CREATE TABLE batches (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        batch_id TEXT NOT NULL,
        undoes TEXT,
        status TEXT NOT NULL,
        reason TEXT,
        spec TEXT NOT NULL,
        warnings TEXT NOT NULL,
        cost_cents INTEGER NOT NULL DEFAULT 0,
        marketplace_calls INTEGER NOT NULL DEFAULT 0,
        job_id TEXT NOT NULL,
        is_canceling INTEGER NOT NULL DEFAULT 0,
        key TEXT,
        digest TEXT NOT NULL,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        started_at TEXT,
        completed_at TEXT,
        PRIMARY KEY (account_id, batch_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX batches_by_time ON batches (account_id, created_at);
      CREATE INDEX batches_by_age ON batches (created_at);
      CREATE UNIQUE INDEX batches_by_key ON batches (account_id, key) WHERE key IS NOT NULL;
      CREATE INDEX batches_by_job ON batches (account_id, job_id);

      CREATE TABLE batch_items (
        account_id TEXT NOT NULL,
        batch_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        listing_pk INTEGER NOT NULL,
        shop_id INTEGER NOT NULL,
        status TEXT NOT NULL,
        is_changed INTEGER NOT NULL,
        item TEXT NOT NULL,
        PRIMARY KEY (account_id, batch_id, position),
        FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX batch_items_by_status ON batch_items (account_id, batch_id, status);

      CREATE TABLE batch_steps (
        account_id TEXT NOT NULL,
        batch_id TEXT NOT NULL,
        position INTEGER NOT NULL,
        listing_pk INTEGER NOT NULL,
        call TEXT NOT NULL,
        job_ids TEXT NOT NULL,
        is_done INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (account_id, batch_id, position),
        FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX batch_steps_by_listing ON batch_steps (account_id, batch_id, listing_pk);
    `);
  },
};
