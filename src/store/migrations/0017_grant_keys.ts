import type { Migration } from '../engine/sqlite/migrate.js';

/** The API key that the person who let an assistant in had signed in with. Null: a sign-in link, or not known any more. */
export const grantKeys: Migration = {
  name: '0017_grant_keys',
  up: (sqlite) => sqlite.exec('ALTER TABLE grants ADD COLUMN key_id TEXT;'),
};
