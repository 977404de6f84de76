import type { Migration } from '../../../engine/sqlite/migrate.js';

/** Who started a job or a batch, and the changes of an account by time: jobs that belong to no batch, and batches. */
export const step44: Migration = {
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
