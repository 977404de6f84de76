import type { Migration } from '../../engine/sqlite/migrate.js';

/** MCP over HTTP has no sessions: each request says all that an instance needs to answer it. */
export const step40: Migration = {
  up(sqlite) {
    sqlite.exec(`
      DROP TABLE conversation_messages;
      DROP TABLE conversations;
    `);
  },
};
