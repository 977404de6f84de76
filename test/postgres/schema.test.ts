import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openAddon } from '../../src/sqlite.js';
import { openSqliteEngines } from '../../src/store/engine/sqlite/open.js';
import { createTestClock, createTestLog } from '../store/ports.js';
import { makeDirectory } from '../store/world.js';
import { getDatabase } from './world.js';

/** The engines' own tables: SQLite uses file versions and lock files, PostgreSQL rows. */
const OWN = new Set(['schema_version', 'instances', 'blob_folder', 'marketplace_owner']);

type Table = {
  columns: Record<string, { type: string; is_nullable: boolean; has_default: boolean }>;
  primary_key: string[];
  /**
   * Unique keys and indexes except the primary key: their columns in order, and a condition both engines spell
   * alike.
   */
  unique: string[];
  indexes: string[];
  /** Columns, the columns they reference, and the action on delete. */
  foreign_keys: string[];
};

it('both engines have the same tables, columns, keys and indexes', async () => {
  const data_dir = join(makeDirectory(), 'data');
  const sqlite = await describeSqlite(data_dir);
  const postgres = await describePostgres((await getDatabase(data_dir)) ?? inject('postgres_url') ?? '');
  expect(Object.keys(postgres).length).toBeGreaterThan(40);
  expect(postgres).toEqual(sqlite);
});

async function describeSqlite(data_dir: string): Promise<Record<string, Table>> {
  const engines = await openSqliteEngines({
    data_dir,
    instance: 'one',
    clock: createTestClock(),
    log: createTestLog(),
  });
  await engines.service.close();
  await engines.rates.close();
  const tables: Record<string, Table> = {};
  for (const file of ['service.db', 'rates.db']) {
    const sqlite = openAddon(join(data_dir, file), { readonly: true });
    onTestFinished(() => void sqlite.close());
    const names = sqlite
      .prepare<[], { name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    for (const { name } of names) tables[name] = describeSqliteTable(sqlite, name);
  }
  return tables;
}

const TYPES: Record<string, string> = { TEXT: 'text', INTEGER: 'bigint', BLOB: 'bytea' };

function describeSqliteTable(sqlite: BetterSqlite3.Database, table: string): Table {
  const ask = <Row>(text: string) => sqlite.prepare<[], Row>(text).all();
  const columns = ask<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }>(
    `SELECT * FROM pragma_table_info('${table}')`,
  );
  const indexes = ask<{ name: string; unique: number; origin: string; sql: string | null }>(
    `SELECT list.*, schema.sql FROM pragma_index_list('${table}') AS list
      LEFT JOIN sqlite_schema AS schema ON schema.name = list.name WHERE origin <> 'pk'`,
  ).map(({ name, unique, sql }) => ({
    unique: unique === 1,
    text: describeIndex(
      ask<{ name: string }>(`SELECT name FROM pragma_index_info('${name}') ORDER BY seqno`).map(
        (one) => one.name,
      ),
      /\bWHERE\b(.*)$/s.exec(sql ?? '')?.[1],
    ),
  }));
  const keys = ask<{ id: number; from: string; to: string; table: string; on_delete: string }>(
    `SELECT * FROM pragma_foreign_key_list('${table}') ORDER BY id, seq`,
  );
  const ids = [...new Set(keys.map(({ id }) => id))];
  return {
    columns: Object.fromEntries(
      columns.map(({ name, type, notnull, dflt_value }) => [
        name,
        { type: TYPES[type] ?? type, is_nullable: notnull === 0, has_default: dflt_value !== null },
      ]),
    ),
    primary_key: columns
      .filter(({ pk }) => pk > 0)
      .toSorted((a, b) => a.pk - b.pk)
      .map(({ name }) => name),
    unique: indexes.flatMap(({ unique, text }) => (unique ? text : [])).toSorted(),
    indexes: indexes.flatMap(({ unique, text }) => (unique ? [] : text)).toSorted(),
    foreign_keys: ids
      .map((id) => keys.filter((key) => key.id === id))
      .map((parts) =>
        describeKey(
          parts.map(({ from }) => from),
          parts[0]?.table ?? '',
          parts.map(({ to }) => to),
          parts[0]?.on_delete ?? '',
        ),
      )
      .toSorted(),
  };
}

async function describePostgres(url: string): Promise<Record<string, Table>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ask = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
  try {
    const columns = await ask<{
      table: string;
      name: string;
      type: string;
      nullable: string;
      default: string | null;
    }>(
      `SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable AS nullable,
          column_default AS "default"
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    );
    const indexes = await ask<{
      table: string;
      columns: string[];
      condition: string | null;
      unique: boolean;
      primary: boolean;
    }>(
      `SELECT t.relname AS "table", i.indisunique AS "unique", i.indisprimary AS "primary",
          pg_get_expr(i.indpred, i.indrelid) AS condition,
          ARRAY(SELECT a.attname::text FROM unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
            JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum ORDER BY k.place) AS columns
        FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid
        JOIN pg_namespace AS n ON n.oid = t.relnamespace WHERE n.nspname = 'public'`,
    );
    const keys = await ask<{ table: string; from: string[]; other: string; to: string[]; action: string }>(
      `SELECT t.relname AS "table", o.relname AS other, c.confdeltype AS action,
          ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
            JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.attnum ORDER BY k.place) AS "from",
          ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (attnum, place)
            JOIN pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.attnum ORDER BY k.place) AS "to"
        FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS o ON o.oid = c.confrelid
        WHERE c.contype = 'f'`,
    );
    const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !OWN.has(name));
    return Object.fromEntries(
      names.map((name) => {
        const own = indexes.filter(({ table }) => table === name);
        const describe = (unique: boolean) =>
          own
            .filter((index) => !index.primary && index.unique === unique)
            .map((index) => describeIndex(index.columns, index.condition ?? undefined))
            .toSorted();
        return [
          name,
          {
            columns: Object.fromEntries(
              columns
                .filter((column) => column.table === name)
                .map((column) => [
                  column.name,
                  {
                    type: column.type,
                    is_nullable: column.nullable === 'YES',
                    has_default: column.default !== null,
                  },
                ]),
            ),
            primary_key: own.find(({ primary }) => primary)?.columns ?? [],
            unique: describe(true),
            indexes: describe(false),
            foreign_keys: keys
              .filter(({ table }) => table === name)
              .map(({ from, other, to, action }) =>
                describeKey(from, other, to, action === 'c' ? 'CASCADE' : action),
              )
              .toSorted(),
          },
        ];
      }),
    );
  } finally {
    await client.end();
  }
}

/** The server adds casts and parentheses to a condition. */
function describeIndex(columns: readonly string[], condition: string | undefined): string {
  const where = condition
    ?.replaceAll(/::text|[()]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${columns.join(', ')}${where === undefined ? '' : ` WHERE ${where}`}`;
}

function describeKey(
  from: readonly string[],
  table: string,
  to: readonly string[],
  on_delete: string,
): string {
  return `${from.join(', ')} -> ${table} (${to.join(', ')}) ON DELETE ${on_delete}`;
}
