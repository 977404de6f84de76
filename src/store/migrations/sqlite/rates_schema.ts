import type { Migration, Schema } from '../../engine/sqlite/migrate.js';

/** Counted calls, limits that the marketplace reported, and counts that instances share. Times are epoch milliseconds. */
const INITIAL = `
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

  CREATE TABLE app_limits (
    app TEXT NOT NULL PRIMARY KEY,
    per_second INTEGER,
    per_day INTEGER,
    remaining_today INTEGER,
    read_at_ms INTEGER NOT NULL,
    held_until_ms INTEGER NOT NULL,
    held_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

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
`;

/** Puts the calls that count toward an application's limit per second into one row per application. */
const slotsInRow: Migration = {
  up: (sqlite) =>
    sqlite.exec(`
      DROP TABLE app_places;
      ALTER TABLE app_limits ADD COLUMN slots TEXT NOT NULL DEFAULT '[]';
    `),
};

/** The schema of rates.db. */
export const RATES_SCHEMA: Schema = { initial: { version: 4, sql: [INITIAL] }, later: [slotsInRow] };
