/**
 * Tables of the installation itself: an encrypted value that only the right master key opens, and the backups that the
 * database was restored from.
 */
export const SERVICE = `
  CREATE TABLE master_key_check (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL
  ) STRICT;

  CREATE TABLE restores (
    restore_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    backed_up_at TEXT NOT NULL,
    restored_at TEXT NOT NULL,
    last_listing_pk INTEGER NOT NULL
  ) STRICT;
`;
