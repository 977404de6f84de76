/** Jobs, what they did, and which process runs each. At most one job of a listing is running. */
export const JOBS = `
  CREATE TABLE jobs (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    job_id TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT 'publish',
    listing_pk INTEGER,
    number INTEGER NOT NULL DEFAULT 0,
    state TEXT,
    status TEXT NOT NULL,
    plan TEXT NOT NULL,
    progress TEXT,
    results TEXT,
    error_message TEXT,
    fees INTEGER NOT NULL DEFAULT 0,
    request_change TEXT,
    created_at TEXT NOT NULL,
    completed_at TEXT,
    claimed_by TEXT,
    claimed_until TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    is_restored INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, job_id),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX jobs_by_listing ON jobs (account_id, listing_pk);
  CREATE INDEX jobs_by_status ON jobs (status);
  CREATE UNIQUE INDEX jobs_one_running ON jobs (account_id, listing_pk)
    WHERE status = 'processing';
  CREATE INDEX jobs_running ON jobs (created_at)
    WHERE status = 'processing';
  CREATE INDEX jobs_with_plan ON jobs (completed_at)
    WHERE completed_at IS NOT NULL AND plan <> 'null';
  CREATE INDEX jobs_restored ON jobs (account_id, completed_at)
    WHERE is_restored = 1;

  CREATE TABLE job_parts (
    account_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    part_id INTEGER NOT NULL,
    progress TEXT NOT NULL,
    saved_at TEXT,
    PRIMARY KEY (account_id, job_id, part_id),
    FOREIGN KEY (account_id, job_id) REFERENCES jobs (account_id, job_id) ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX job_parts_by_time ON job_parts (saved_at);
`;
