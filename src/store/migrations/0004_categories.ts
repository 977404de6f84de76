import type { Migration } from '../engine/sqlite/migrate.js';

/** The marketplace's categories: the same for every account. */
export const categories: Migration = {
  name: '0004_categories',
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE category_schemas (
        category_id INTEGER NOT NULL PRIMARY KEY,
        schema TEXT NOT NULL,
        fetched_at TEXT NOT NULL
      ) STRICT;

      CREATE TABLE category_tree (
        id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
        categories TEXT NOT NULL,
        fetched_at TEXT NOT NULL
      ) STRICT;
    `),
};
