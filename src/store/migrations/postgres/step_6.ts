/**
 * Jobs are counted by an index, and uploads by their bytes alone. Instances of the release before still write `job_totals` and
 * `upload_totals.total` while they are replaced one after the other: both are to be removed a release later.
 */
export const STEP_6 = [
  `
  CREATE INDEX jobs_by_status ON jobs (status);
  ALTER TABLE upload_totals ALTER COLUMN total SET DEFAULT 0;
  `,
];
