/** Jobs that a restored backup had in flight; times cannot tell them apart, since the clock may have been set in between. */
export const STEP_10 = [
  `
  ALTER TABLE jobs ADD COLUMN is_restored BIGINT NOT NULL DEFAULT 0;
  CREATE INDEX jobs_restored ON jobs (account_id, completed_at) WHERE is_restored = 1;
  `,
];
