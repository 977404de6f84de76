/** Exports of listings as sheets, the edits of an uploaded sheet, and one-time download addresses. */
export const STEP_16 = [
  `
  CREATE TABLE sheets (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    version TEXT COLLATE "C" NOT NULL,
    content TEXT COLLATE "C" NOT NULL,
    created_at TEXT COLLATE "C" NOT NULL,
    expires_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, version)
  );
  CREATE INDEX sheets_by_time ON sheets (account_id, created_at);
  CREATE INDEX sheets_by_end ON sheets (expires_at);

  CREATE TABLE batch_edits (
    account_id TEXT COLLATE "C" NOT NULL,
    batch_id TEXT COLLATE "C" NOT NULL,
    listing_pk BIGINT NOT NULL,
    edits TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, batch_id, listing_pk),
    FOREIGN KEY (account_id, batch_id) REFERENCES batches (account_id, batch_id) ON DELETE CASCADE
  );

  ALTER TABLE upload_links ADD COLUMN download TEXT COLLATE "C";
  `,
];
