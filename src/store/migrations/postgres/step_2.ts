/** What instances tell each other, and what they count together. */
export const STEP_2 = [
  `
  CREATE TABLE conversations (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
    conversation_id TEXT COLLATE "C" NOT NULL,
    facts TEXT COLLATE "C" NOT NULL,
    used_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, conversation_id)
  );
  CREATE INDEX conversations_by_use ON conversations (used_at);
  CREATE INDEX conversations_by_account ON conversations (account_id, used_at);

  CREATE TABLE conversation_messages (
    account_id TEXT COLLATE "C" NOT NULL,
    conversation_id TEXT COLLATE "C" NOT NULL,
    message_id TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    left_at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, conversation_id, message_id),
    FOREIGN KEY (account_id, conversation_id)
      REFERENCES conversations (account_id, conversation_id) ON DELETE CASCADE
  );
  CREATE INDEX conversation_messages_by_age ON conversation_messages (left_at);

  ALTER TABLE jobs ADD COLUMN progress TEXT COLLATE "C";

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
  `,
];
