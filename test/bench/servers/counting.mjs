/*
 * Counts each call as the service does: in one transaction on a SQLite file with the same settings, but with
 * the fewest possible better-sqlite3 statements. Also logs each call as the service does: one pino line, to a
 * file next to the database.
 */
import { pino } from 'pino';
import { openAddon } from '../../../.build/src/sqlite.js';

const ACCOUNT = 'account';
const SECOND_MS = 1_000;

/** @param file of the counts; returns a function that counts and logs one call */
export function openCounter(file) {
  const sqlite = openAddon(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = OFF');
  sqlite.exec(`
    CREATE TABLE call_counts (account_id TEXT NOT NULL PRIMARY KEY, calls INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE recent_calls (
      account_id TEXT NOT NULL, called_at_ms INTEGER NOT NULL, calls_before INTEGER NOT NULL,
      PRIMARY KEY (account_id, called_at_ms)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO call_counts VALUES ('${ACCOUNT}', 0);
  `);
  const find = sqlite.prepare(
    `SELECT calls, (
       SELECT calls_before FROM recent_calls WHERE account_id = ? AND called_at_ms > ? ORDER BY called_at_ms LIMIT 1
     ) AS calls_before_second FROM call_counts WHERE account_id = ?`,
  );
  const update = sqlite.prepare('UPDATE call_counts SET calls = ? WHERE account_id = ?');
  const insert = sqlite.prepare('INSERT INTO recent_calls VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const prune = sqlite.prepare('DELETE FROM recent_calls WHERE account_id = ? AND called_at_ms <= ?');
  const count = sqlite.transaction(() => {
    const now_ms = Date.now();
    const { calls } = find.get(ACCOUNT, now_ms - SECOND_MS, ACCOUNT);
    update.run(calls + 1, ACCOUNT);
    insert.run(ACCOUNT, now_ms, calls);
    if (calls % 16 === 0) prune.run(ACCOUNT, now_ms - SECOND_MS);
  });
  const log = pino(pino.destination(`${file}.log`));
  return () => {
    count.immediate();
    log.info({ operation: 'listings_list', face: 'mcp', account_id: ACCOUNT, duration_ms: 0 }, 'call');
  };
}
