// What a call over stdio cannot do without, alone: lines, zod for the arguments, and better-sqlite3 asked once for each piece of
// input whether what is kept still holds. Answers the bytes of a file.
import { readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod/v3';

const [, , file, database] = process.argv;
const answer = readFileSync(file, 'utf8');
const sqlite = new BetterSqlite3(database);
sqlite.pragma('journal_mode = WAL');
sqlite.exec('CREATE TABLE IF NOT EXISTS kept (id INTEGER PRIMARY KEY)');
const getVersion = sqlite.prepare('PRAGMA data_version');
const input = z.object({ shop_id: z.number().int() });

let rest = '';
process.stdin.setEncoding('utf8').on('data', (piece) => {
  const lines = (rest + piece).split('\n');
  rest = lines.pop() ?? '';
  getVersion.get();
  for (const line of lines) input.parse(JSON.parse(line).params.arguments);
  process.stdout.write(`${answer}\n`.repeat(lines.length));
});
