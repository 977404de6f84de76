/** Jobs, what they did, and which process runs each. At most one job of a listing is running. */
export const JOBS = `
  CREATE TABLE jobs (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    job_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL DEFAULT 'publish',
    listing_pk BIGINT,
    number BIGINT NOT NULL DEFAULT 0,
    state TEXT COLLATE "C",
    status TEXT COLLATE "C" NOT NULL,
    plan TEXT COLLATE "C" NOT NULL,
    progress TEXT COLLATE "C",
    results TEXT COLLATE "C",
    error_message TEXT COLLATE "C",
    fees BIGINT NOT NULL DEFAULT 0,
    request_change TEXT COLLATE "C",
    created_at TEXT COLLATE "C" NOT NULL,
    completed_at TEXT COLLATE "C",
    claimed_by TEXT COLLATE "C",
    claimed_until TEXT COLLATE "C",
    fence BIGINT NOT NULL DEFAULT 0,
    is_restored BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, job_id),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  );
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
    account_id TEXT COLLATE "C" NOT NULL,
    job_id TEXT COLLATE "C" NOT NULL,
    part_id BIGINT NOT NULL,
    progress TEXT COLLATE "C" NOT NULL,
    saved_at TEXT COLLATE "C",
    PRIMARY KEY (account_id, job_id, part_id),
    FOREIGN KEY (account_id, job_id) REFERENCES jobs (account_id, job_id) ON DELETE CASCADE
  );
  CREATE INDEX job_parts_by_time ON job_parts (saved_at);

  CREATE TABLE job_totals (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    status TEXT COLLATE "C" NOT NULL,
    total BIGINT NOT NULL,
    PRIMARY KEY (account_id, status)
  );
`;
