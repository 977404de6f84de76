import type { Schema } from '../../engine/postgres/migrate.js';
import { STEP_15 } from './step_15.js';
import { IDENTITY } from './initial/identity.js';
import { JOBS } from './initial/jobs.js';
import { LIMITS } from './initial/limits.js';
import { LISTINGS } from './initial/listings.js';
import { ORDERS } from './initial/orders.js';
import { SERVICE } from './initial/service.js';
import { SHOPS } from './initial/shops.js';
import { UPLOADS } from './initial/uploads.js';
import { WEBHOOKS } from './initial/webhooks.js';

/**
 * The tables that a new database begins with, the same as those of SQLite: times are ISO 8601 UTC with milliseconds, JSON is text,
 * booleans are 0 and 1, and BYTEA holds sealed secrets. Text compares by its bytes, as it does there, and not by the database's own
 * collation. Each table comes after those that it refers to.
 */
const INITIAL = [SERVICE, IDENTITY, SHOPS, UPLOADS, LISTINGS, JOBS, WEBHOOKS, ORDERS, LIMITS];

/** Who started a job or a batch, and the changes of an account by time: jobs that belong to no batch, and batches. */
const STEP_17 = [
  `
  ALTER TABLE jobs ADD COLUMN started_by TEXT COLLATE "C";
  ALTER TABLE jobs ADD COLUMN batch_id TEXT COLLATE "C";
  UPDATE jobs SET batch_id = plan::jsonb ->> 'batch_id' WHERE plan LIKE '%"batch_id"%';
  CREATE INDEX jobs_of_none_by_time ON jobs (account_id, created_at)
    WHERE batch_id IS NULL AND kind <> 'batch';

  ALTER TABLE batches ADD COLUMN started_by TEXT COLLATE "C";
  `,
];

/** Exports of listings as sheets, the edits of an uploaded sheet, and one-time download addresses. */
const STEP_16 = [
  `
  CREATE TABLE sheets (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    version TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, version)
  );
  CREATE INDEX sheets_by_time ON sheets (account_id, created_at);
  CREATE INDEX sheets_by_end ON sheets (expires_at);

  CREATE TABLE batch_edits (
    account_id TEXT COLLATE "C" NOT NULL,
    batch_id TEXT COLLATE "C" NOT NULL,
    listing_pk BIGINT NOT NULL,
    edits TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, batch_id, listing_pk),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
  );

  ALTER TABLE upload_links ADD COLUMN download TEXT COLLATE "C";
  `,
];

/** One row per application has the calls that count towards its limit per second. */
const STEP_14 = [
  `
  DROP TABLE app_places;
  ALTER TABLE app_limits ADD COLUMN slots TEXT COLLATE "C" NOT NULL DEFAULT '[]';
  `,
];

/** Of a database on PostgreSQL, with the counters that SQLite keeps in a file of their own. */
export const POSTGRES_SCHEMA: Schema = {
  initial: { version: 13, sql: INITIAL },
  later: [
    // An older release counts calls to the marketplace in the table that this step drops.
    { sql: STEP_14, usable_from: 14 },
    // An older release does not know the jobs of batches, and would fail on them.
    { sql: STEP_15, usable_from: 15 },
    // An older release takes a download address for one to upload to, and cannot plan a sheet.
    { sql: STEP_16, usable_from: 16 },
    // An older release leaves the new columns empty.
    { sql: STEP_17, usable_from: 16 },
  ],
};
