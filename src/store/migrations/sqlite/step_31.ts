import type { Migration } from '../../engine/sqlite/migrate.js';

/** What instances tell each other: conversations of clients, what is left in them, how far a job is, and what was asked on a page. */
export const step31: Migration = {
  up(sqlite) {
    sqlite.exec(`
      CREATE TABLE conversations (
        account_id TEXT NOT NULL REFERENCES accounts (account_id) ON DELETE CASCADE,
        conversation_id TEXT NOT NULL,
        facts TEXT NOT NULL,
        used_at TEXT NOT NULL,
        PRIMARY KEY (account_id, conversation_id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX conversations_by_use ON conversations (used_at);
      CREATE INDEX conversations_by_account ON conversations (account_id, used_at);

      CREATE TABLE conversation_messages (
        account_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        message_id TEXT NOT NULL,
        body TEXT NOT NULL,
        left_at TEXT NOT NULL,
        PRIMARY KEY (account_id, conversation_id, message_id),
        FOREIGN KEY (account_id, conversation_id)
          REFERENCES conversations (account_id, conversation_id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX conversation_messages_by_age ON conversation_messages (left_at);

      ALTER TABLE jobs ADD COLUMN progress TEXT;
    `);
  },
};
