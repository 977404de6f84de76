/** Counted calls, and the limits that the marketplace reported. Times are epoch milliseconds. */
export const LIMITS = `
  CREATE TABLE call_counts (
    account_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    calls BIGINT NOT NULL,
    last_at_ms BIGINT NOT NULL,
    day_started_at_ms BIGINT NOT NULL,
    calls_before_day BIGINT NOT NULL
  );

  CREATE TABLE recent_calls (
    account_id TEXT COLLATE "C" NOT NULL,
    called_at_ms BIGINT NOT NULL,
    calls_before BIGINT NOT NULL,
    PRIMARY KEY (account_id, called_at_ms)
  );

  CREATE TABLE app_limits (
    app TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    per_second BIGINT,
    per_day BIGINT,
    remaining_today BIGINT,
    read_at_ms BIGINT NOT NULL,
    held_until_ms BIGINT NOT NULL,
    held_at_ms BIGINT NOT NULL
  );

  CREATE TABLE app_places (
    app TEXT COLLATE "C" NOT NULL,
    place_id TEXT COLLATE "C" NOT NULL,
    free_at_ms BIGINT NOT NULL,
    PRIMARY KEY (app, place_id)
  );

  CREATE TABLE window_counts (
    subject TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    counted BIGINT NOT NULL,
    ends_at_ms BIGINT NOT NULL
  );
  CREATE INDEX window_counts_by_end ON window_counts (ends_at_ms);
`;
