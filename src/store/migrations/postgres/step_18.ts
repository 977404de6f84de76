/** Saved filters of the listings page. */
export const STEP_18 = [
  `
  CREATE TABLE saved_filters (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    query TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, name)
  );
  `,
];
