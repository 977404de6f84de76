import type { Migration } from '../../engine/sqlite/migrate.js';

/** A copy that is saved as a draft is bound long after its listing was created. */
export const step35: Migration = {
  up(sqlite) {
    sqlite.exec('ALTER TABLE digest_bindings ADD COLUMN bound_at TEXT;');
  },
};
