import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { toNumber } from '../numbers.js';
import { getEngine, type MovePlace, type Row, type TableShape } from './place.js';

/** The approximate amount held in memory at a time. */
const PAGE_BYTES = 2 * 1024 * 1024;
const MAX_PAGE_ROWS = 1_000;
const FIRST_PAGE_ROWS = 20;

/** Pages of a table by its key, starting after a row. Rows of a megabyte come a few at a time, small ones by the thousand. */
export async function* readPages(place: MovePlace, table: TableShape, after?: Row): AsyncGenerator<Row[]> {
  let limit = FIRST_PAGE_ROWS;
  for (let last = after; ;) {
    const page = await readPage(place, table, { after: last, limit });
    last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < limit) return;
    limit = Math.max(1, Math.min(MAX_PAGE_ROWS, 4 * limit, Math.floor((PAGE_BYTES * limit) / sizeOf(page))));
  }
}

function readPage(
  place: MovePlace,
  { name, columns, key, engine }: TableShape,
  { after, limit }: { after: Row | undefined; limit: number },
): Promise<Row[]> {
  const order = sql.join(key.map((column) => sql.ref(column)));
  const from = after ? sql`WHERE (${order}) > (${sql.join(key.map((column) => after[column]))})` : sql``;
  const query = sql<Row>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(name)} ${from} ORDER BY ${order} LIMIT ${limit}`;
  return getEngine(place, { name, columns, key, engine, is_numbered: false }).read(
    async (trx) => (await query.execute(trx)).rows,
  );
}

function sizeOf(rows: readonly Row[]): number {
  let size = 1;
  for (const row of rows) {
    for (const value of Object.values(row)) size += typeof value === 'number' ? 8 : (value?.length ?? 0);
  }
  return size;
}

/** The row with the greatest key: rows come in the order of their keys, so it is the last one received. */
export async function findLastRow(place: MovePlace, table: TableShape): Promise<Row | undefined> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const order = sql.join(table.key.map((column) => sql`${sql.ref(column)} DESC`));
  const query = sql<Row>`SELECT ${key} FROM ${sql.table(table.name)} ORDER BY ${order} LIMIT 1`;
  return getEngine(place, table).read(async (trx) => (await query.execute(trx)).rows[0]);
}

export async function countRows(place: MovePlace, table: TableShape): Promise<number> {
  const query = sql<{ total: string | number }>`SELECT count(*) AS total FROM ${sql.table(table.name)}`;
  return getEngine(place, table).read(async (trx) => toNumber((await query.execute(trx)).rows[0]?.total));
}

/**
 * The number of rows, and a SHA-256 over all their values in the order of the key: the same in both engines.
 * @param count called now and then with the number of further rows read
 */
export async function digestRows(
  place: MovePlace,
  table: TableShape,
  count: (rows: number) => void,
): Promise<{ total: number; sha256: string }> {
  const hash = createHash('sha256');
  let total = 0;
  for await (const page of readPages(place, table)) {
    for (const row of page) {
      hash.update(`${JSON.stringify(table.columns.map((column) => toText(row[column] ?? null)))}\n`);
    }
    total += page.length;
    count(page.length);
  }
  return { total, sha256: hash.digest('hex') };
}

function toText(value: Row[string]): unknown {
  return Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value;
}
