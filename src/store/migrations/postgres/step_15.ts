/**
 * Tables for changes of many listings at once. Drops columns and a table that nothing reads: bodies of events are stored
 * encrypted, jobs are counted by an index, and uploads by their bytes.
 */
export const STEP_15 = [
  `
  DROP TABLE job_totals;
  ALTER TABLE upload_totals DROP COLUMN total;
  DROP INDEX events_in_clear;
  ALTER TABLE events DROP COLUMN payload;

  CREATE TABLE batches (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    batch_id TEXT COLLATE "C" NOT NULL,
    undoes TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C",
    spec TEXT COLLATE "C" NOT NULL,
    warnings TEXT COLLATE "C" NOT NULL,
    cost_cents BIGINT NOT NULL DEFAULT 0,
    marketplace_calls BIGINT NOT NULL DEFAULT 0,
    job_id TEXT COLLATE "C" NOT NULL,
    is_canceling BIGINT NOT NULL DEFAULT 0,
    key TEXT COLLATE "C",
    digest TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    started_at TEXT COLLATE "C",
    completed_at TEXT COLLATE "C",
    PRIMARY KEY (account_id, batch_id)
  );
  CREATE INDEX batches_by_time ON batches (account_id, created_at);
  CREATE INDEX batches_by_age ON batches (created_at);
  CREATE UNIQUE INDEX batches_by_key ON batches (account_id, key) WHERE key IS NOT NULL;
  CREATE INDEX batches_by_job ON batches (account_id, job_id);

  CREATE TABLE batch_items (
    account_id TEXT COLLATE "C" NOT NULL,
    batch_id TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    listing_pk BIGINT NOT NULL,
    shop_id BIGINT NOT NULL,
    status TEXT COLLATE "C" NOT NULL,
    is_changed BIGINT NOT NULL,
    item TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, batch_id, position),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
  );
  CREATE INDEX batch_items_by_status ON batch_items (account_id, batch_id, status);

  CREATE TABLE batch_steps (
    account_id TEXT COLLATE "C" NOT NULL,
    batch_id TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    listing_pk BIGINT NOT NULL,
    call TEXT COLLATE "C" NOT NULL,
    job_ids TEXT COLLATE "C" NOT NULL,
    is_done BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, batch_id, position),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
  );
  CREATE INDEX batch_steps_by_listing ON batch_steps (account_id, batch_id, listing_pk);
  `,
];
