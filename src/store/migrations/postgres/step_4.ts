/** Work that pages of the dashboard have started, for all instances to see; and which folder has the files, where no BLOB_STORE is set. */
export const STEP_4 = [
  `
  CREATE TABLE page_tasks (
    account_id TEXT COLLATE "C" NOT NULL,
    listing_pk BIGINT NOT NULL,
    instance TEXT COLLATE "C" NOT NULL,
    error TEXT COLLATE "C",
    since TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, listing_pk),
    FOREIGN KEY (account_id, listing_pk) REFERENCES listings (account_id, listing_pk) ON DELETE CASCADE
  );
  CREATE INDEX page_tasks_by_age ON page_tasks (since);

  CREATE TABLE blob_folder (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folder_id TEXT COLLATE "C" NOT NULL
  );
  `,
];
