import type { Migration } from '../engine/sqlite/migrate.js';

/** Processes on the folder are known by the locks they hold, and those that were killed by the locks they have left. */
export const presence: Migration = {
  name: '0038_presence',
  up: (sqlite) => sqlite.exec('DROP TABLE runs'),
};
