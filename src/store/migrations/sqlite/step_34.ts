import type { Migration } from '../../engine/sqlite/migrate.js';

/** Jobs are counted by an index, and uploads by their bytes alone: no other count of them is read. */
export const step34: Migration = {
  up(sqlite) {
    sqlite.exec(`
      DROP TABLE job_totals;
      CREATE INDEX jobs_by_status ON jobs (status);
      ALTER TABLE upload_totals DROP COLUMN total;
    `);
  },
};
