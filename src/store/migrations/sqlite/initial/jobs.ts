/** Jobs, and who runs one. At most one of a listing is running. */
export const JOBS = `
  CREATE TABLE jobs (
    account_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    listing_pk INTEGER NOT NULL,
    state TEXT NOT NULL,
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
  CREATE INDEX jobs_by_listing ON jobs (account_id, listing_pk);
  CREATE UNIQUE INDEX jobs_one_running ON jobs (account_id, listing_pk)
    WHERE status = 'processing';
  CREATE INDEX jobs_running ON jobs (created_at)
    WHERE status = 'processing';
  CREATE INDEX jobs_with_plan ON jobs (completed_at)
    WHERE completed_at IS NOT NULL AND plan <> 'null';

  CREATE TABLE job_totals (
    account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (account_id, status)
  ) STRICT, WITHOUT ROWID;
`;
