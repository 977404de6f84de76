import type { Migration } from '../engine/sqlite/migrate.js';

/** Continuations that were used; what was not used is nowhere but with its caller. */
export const continuations: Migration = {
  name: '0016_continuations',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE taken_continuations (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        continuation_id TEXT NOT NULL,
        forget_at TEXT NOT NULL,
        PRIMARY KEY (account_id, continuation_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX taken_continuations_by_time ON taken_continuations (forget_at);
    `),
};
