import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { openAddon } from '../../../src/sqlite.js';
import { getCount, SUMS, toExpression, type Size } from './columns.js';
import type { KeptFile } from './files.js';

type Column = { name: string; type: string; notnull: number; pk: number };

/** Fills every table of a data folder on which nothing runs; the files named in the rows exist already. */
export function fillRows(data_dir: string, size: Omit<Size, 'files'>, files: readonly KeptFile[]): void {
  for (const name of ['service.db', 'rates.db']) {
    const sqlite = openAddon(join(data_dir, name));
    sqlite.pragma('synchronous = OFF');
    // In the order of their names; consistency is checked below.
    sqlite.pragma('foreign_keys = OFF');
    sqlite.transaction(() => fillTables(sqlite, { ...size, files: files.length }, files))();
    const lost = sqlite.pragma('foreign_key_check') as unknown[];
    if (lost.length > 0) throw new Error(`rows refer to none: ${JSON.stringify(lost[0])}`);
    sqlite.close();
  }
}

function fillTables(sqlite: BetterSqlite3.Database, size: Size, files: readonly KeptFile[]): void {
  sqlite.exec('CREATE TEMP TABLE files (sha256 TEXT, size_bytes INTEGER)');
  const add = sqlite.prepare('INSERT INTO temp.files VALUES (?, ?)');
  for (const { sha256, size_bytes } of files) add.run(sha256, size_bytes);
  const names = sqlite
    .prepare<[], { name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name <> 'accounts', name",
    )
    .all()
    .map(({ name }) => name);
  for (const table of names) if (!(table in SUMS)) fillTable(sqlite, table, getCount(table, size));
  if (names.includes('listings')) {
    // The last rows were deleted: their numbers are never assigned again.
    sqlite.exec('UPDATE sqlite_sequence SET seq = seq + 7');
  }
  for (const [table, query] of Object.entries(SUMS)) {
    if (!names.includes(table)) continue;
    sqlite.exec(`DELETE FROM ${table}`);
    const found = sqlite.prepare(query).columns();
    sqlite.exec(`INSERT INTO ${table} (${found.map(({ name }) => name).join(', ')}) ${query}`);
  }
}

function fillTable(sqlite: BetterSqlite3.Database, table: string, count: number): void {
  const columns = sqlite.prepare<[string], Column>('SELECT * FROM pragma_table_info(?)').all(table);
  const toColumn = ({ name, type, notnull, pk }: Column) => ({
    name,
    type,
    is_required: notnull === 1 || pk > 0,
  });
  sqlite
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 WHERE @count > 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)
       INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
       SELECT ${columns.map((column) => toExpression(table, toColumn(column))).join(', ')} FROM numbers`,
    )
    .run({ count });
}
