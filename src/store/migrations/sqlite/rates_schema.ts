import type { Migration, Schema } from '../../engine/sqlite/migrate.js';

const CALLS = `
  CREATE TABLE call_counts (
    account_id TEXT NOT NULL PRIMARY KEY,
    calls INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    day_started_at_ms INTEGER NOT NULL,
    calls_before_day INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE recent_calls (
    account_id TEXT NOT NULL,
    called_at_ms INTEGER NOT NULL,
    calls_before INTEGER NOT NULL,
    PRIMARY KEY (account_id, called_at_ms)
  ) STRICT, WITHOUT ROWID;
`;

/** What several instances count together beside the calls of accounts: calls to the marketplace, and wrong credentials. */
const sharedByInstances: Migration = {
  up: (sqlite) =>
    sqlite.exec(`
      CREATE TABLE app_places (
        app TEXT NOT NULL,
        place_id TEXT NOT NULL,
        free_at_ms INTEGER NOT NULL,
        PRIMARY KEY (app, place_id)
      ) STRICT, WITHOUT ROWID;

      CREATE TABLE window_counts (
        subject TEXT NOT NULL,
        counted INTEGER NOT NULL,
        ends_at_ms INTEGER NOT NULL,
        PRIMARY KEY (subject)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX window_counts_by_end ON window_counts (ends_at_ms);
    `),
};

/** Of rates.db. */
export const RATES_SCHEMA: Schema = {
  initial: {
    version: 3,
    sql: [
      `
      ${CALLS}

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
    // What was kept before does not tell when a hold began. Who called in the last second is forgotten, not how often today.
    up: (sqlite) =>
      sqlite.exec(`
        DROP TABLE recent_calls;
        ${CALLS}
        INSERT INTO call_counts SELECT account_id, calls, started_at_ms, started_at_ms, 0 FROM days;
        DROP TABLE days;
        ALTER TABLE app_limits ADD COLUMN held_at_ms INTEGER NOT NULL DEFAULT 0;
        UPDATE app_limits SET held_until_ms = 0;
      `),
  },
  later: [sharedByInstances],
};
