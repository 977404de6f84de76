import type { Migration } from '../engine/sqlite/migrate.js';

/** Keys that end by themselves, keys that may only read, and what each assistant was let in to do. */
export const limitedAccess: Migration = {
  name: '0034_limited_access',
  up: (sqlite) =>
    sqlite.exec(`
      ALTER TABLE api_keys ADD COLUMN expires_at TEXT;
      ALTER TABLE api_keys ADD COLUMN is_read_only INTEGER NOT NULL DEFAULT 0 CHECK (is_read_only IN (0, 1));
      ALTER TABLE grants ADD COLUMN scope TEXT NOT NULL DEFAULT 'read write' CHECK (scope IN ('read', 'read write'));
    `),
};
