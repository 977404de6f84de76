import type { Schema, Migration } from '../../engine/sqlite/migrate.js';
import { step42 } from './steps/step_42.js';
import { IDENTITY } from './initial/identity.js';
import { JOBS } from './initial/jobs.js';
import { LISTINGS } from './initial/listings.js';
import { ORDERS } from './initial/orders.js';
import { SERVICE } from './initial/service.js';
import { SHOPS } from './initial/shops.js';
import { UPLOADS } from './initial/uploads.js';
import { WEBHOOKS } from './initial/webhooks.js';

/**
 * The tables that a new service.db begins with. Times are ISO 8601 UTC with milliseconds, JSON is text, booleans are 0 and 1, and
 * BLOBs are sealed secrets. In an order in which each table comes after those that it refers to.
 */
const INITIAL = [SERVICE, IDENTITY, SHOPS, UPLOADS, LISTINGS, JOBS, WEBHOOKS, ORDERS];

/** Who started a job or a batch, and the changes of an account by time: jobs that belong to no batch, and batches. */
const step44: Migration = {
  up(sqlite) {
    sqlite.exec(`
      ALTER TABLE jobs ADD COLUMN started_by TEXT;
      ALTER TABLE jobs ADD COLUMN batch_id TEXT;
      UPDATE jobs SET batch_id = plan ->> '$.batch_id' WHERE plan LIKE '%"batch_id"%';
      CREATE INDEX jobs_of_none_by_time ON jobs (account_id, created_at)
        WHERE batch_id IS NULL AND kind <> 'batch';

      ALTER TABLE batches ADD COLUMN started_by TEXT;
    `);
  },
};

/** Exports of listings as sheets, the edits of an uploaded sheet, and one-time download addresses. */
const step43: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE sheets (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        version TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        PRIMARY KEY (account_id, version)
      ) STRICT;
      CREATE INDEX sheets_by_time ON sheets (account_id, created_at);
      CREATE INDEX sheets_by_end ON sheets (expires_at);

      CREATE TABLE batch_edits (
        account_id TEXT NOT NULL,
        batch_id TEXT NOT NULL,
        listing_pk INTEGER NOT NULL,
        edits TEXT NOT NULL,
        PRIMARY KEY (account_id, batch_id, listing_pk),
        FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;

      ALTER TABLE upload_links ADD COLUMN download TEXT;
    `);
  },
};

/** Of service.db. */
export const SERVICE_SCHEMA: Schema = {
  initial: { version: 41, sql: INITIAL },
  later: [step42, step43, step44],
};
