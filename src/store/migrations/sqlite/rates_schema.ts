import type { Schema } from '../../engine/sqlite/migrate.js';

/** Of rates.db. */
export const RATES_SCHEMA: Schema = {
  initial: {
    version: 3,
    sql: [
      `
      CREATE TABLE recent_calls (
        account_id TEXT NOT NULL,
        called_at_ms INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        PRIMARY KEY (account_id, called_at_ms)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE days (
        account_id TEXT NOT NULL PRIMARY KEY,
        started_at_ms INTEGER NOT NULL,
        calls INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE app_limits (
        app TEXT NOT NULL PRIMARY KEY,
        per_second INTEGER,
        per_day INTEGER,
        remaining_today INTEGER,
        read_at_ms INTEGER NOT NULL,
        held_until_ms INTEGER NOT NULL,
        held_at_ms INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      `,
    ],
  },
  before: {
    name: 'from 2',
    // What was kept before does not tell when a hold began.
    up: (sqlite) =>
      sqlite.exec(`
        ALTER TABLE app_limits ADD COLUMN held_at_ms INTEGER NOT NULL DEFAULT 0;
        UPDATE app_limits SET held_until_ms = 0;
      `),
  },
  later: [],
};
