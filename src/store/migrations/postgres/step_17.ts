/** Who started a job or a batch, and the changes of an account by time: jobs that belong to no batch, and batches. */
export const STEP_17 = [
  `
  ALTER TABLE jobs ADD COLUMN started_by TEXT COLLATE "C";
  ALTER TABLE jobs ADD COLUMN batch_id TEXT COLLATE "C";
  UPDATE jobs SET batch_id = plan::jsonb ->> 'batch_id' WHERE plan LIKE '%"batch_id"%';
  CREATE INDEX jobs_of_none_by_time ON jobs (account_id, created_at)
    WHERE batch_id IS NULL AND kind <> 'batch';

  ALTER TABLE batches ADD COLUMN started_by TEXT COLLATE "C";
  `,
];
