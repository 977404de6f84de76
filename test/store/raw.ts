import { join } from 'node:path';
import pg from 'pg';
import { openAddon } from '../../src/sqlite.js';
import { getDatabase } from '../postgres/world.js';

type Value = string | number | Buffer | null;
type Row = Record<string, Value>;

/**
 * Queries the database of a data folder directly, on either engine; integers are returned as numbers.
 * @param text one statement valid on both, with ? for each value
 * @param file which of SQLite's files; PostgreSQL has both in one
 */
export async function ask<Answer extends Row = Row>(
  data_dir: string,
  text: string,
  values: readonly Value[] = [],
  file: 'service.db' | 'rates.db' = 'service.db',
): Promise<Answer[]> {
  const url = await getDatabase(data_dir);
  const rows =
    url === undefined ? askSqlite(join(data_dir, file), text, values) : await askPostgres(url, text, values);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the test's own statement has it
  return rows as Answer[];
}

function askSqlite(file: string, text: string, values: readonly Value[]): unknown[] {
  const sqlite = openAddon(file);
  try {
    const statement = sqlite.prepare<Value[]>(text);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  } finally {
    sqlite.close();
  }
}

const INT8 = 20;
const NUMERIC = 1700;

async function askPostgres(url: string, text: string, values: readonly Value[]): Promise<unknown[]> {
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: ((oid: number) =>
        oid === INT8 || oid === NUMERIC
          ? Number
          : pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser,
    },
  });
  await client.connect();
  try {
    let count = 0;
    const numbered = text.replaceAll('?', () => `$${(count += 1)}`);
    return (await client.query<Row>(numbered, [...values])).rows;
  } finally {
    await client.end();
  }
}
