import type BetterSqlite3 from 'better-sqlite3';
import { HOLD_TABLE } from '../holds.js';
import type { TableShape } from '../../move/place.js';

/** The tables of a database on SQLite, each after those that it refers to; PostgreSQL has the same. */
export function listTables(sqlite: BetterSqlite3.Database, engine: TableShape['engine']): TableShape[] {
  const found = sqlite
    .prepare<[string], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> ? ORDER BY name`,
    )
    .all(HOLD_TABLE);
  const shapes = found.map(({ name, sql }) => ({
    ...readColumns(sqlite, name),
    name,
    engine,
    is_numbered: /\bAUTOINCREMENT\b/i.test(sql),
    parents: listParents(sqlite, name),
  }));
  const ordered: TableShape[] = [];
  const isDone = new Set<string>();
  while (ordered.length < shapes.length) {
    const next = shapes.find(
      ({ name, parents }) =>
        !isDone.has(name) && parents.every((parent) => parent === name || isDone.has(parent)),
    );
    if (!next) throw new Error('tables refer to each other in a circle');
    const { parents: _, ...shape } = next;
    isDone.add(next.name);
    ordered.push(shape);
  }
  return ordered;
}

function readColumns(sqlite: BetterSqlite3.Database, table: string): Pick<TableShape, 'columns' | 'key'> {
  const columns = sqlite
    .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
    .all(table);
  const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  if (key.length === 0) throw new Error(`${table} has no primary key`);
  return { columns: columns.map(({ name }) => name), key: key.map(({ name }) => name) };
}

function listParents(sqlite: BetterSqlite3.Database, table: string): string[] {
  return sqlite
    .prepare<[string], { parent: string }>(
      'SELECT DISTINCT "table" AS parent FROM pragma_foreign_key_list(?)',
    )
    .all(table)
    .map(({ parent }) => parent);
}
