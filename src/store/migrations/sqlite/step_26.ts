import type { Migration } from '../../engine/sqlite/migrate.js';

/** What taking a change back needs: bytes of photos that were taken away, our form before and after, and how old parts of jobs are. */
export const step26: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE kept_files (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        sha256 TEXT NOT NULL,
        keep_until TEXT NOT NULL,
        PRIMARY KEY (account_id, sha256)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX kept_files_by_sha256 ON kept_files (sha256);
      CREATE INDEX kept_files_by_time ON kept_files (keep_until);

      ALTER TABLE jobs ADD COLUMN request_change TEXT;

      ALTER TABLE job_parts ADD COLUMN saved_at TEXT;
      CREATE INDEX job_parts_by_time ON job_parts (saved_at);
    `);
  },
};
