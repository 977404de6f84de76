import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openAddon } from '../../../.build/src/sqlite.js';
import { alternate } from './numbers.mjs';
import { buildSettings, makeFolder, readCpu } from './processes.mjs';

/*
 * The engines a service can use. A place is a new folder, with a separate database if the engine has a
 * server.
 */

const POSTGRES_URL = process.env.BENCH_POSTGRES_URL;
/** Rows of one statement. */
const BATCH = 20_000;

/** @typedef {{ name: string, openPlace: () => Promise<Place> }} Engine */

/**
 * @typedef {object} Place
 * @property {string} path of the folder
 * @property {object} settings of a service on it; its tables exist once a service was started
 * @property {(table: string, rows: Iterable<Record<string, string | number | null>>) => Promise<void>} insert bypasses the service; all
 *   rows have the same columns
 * @property {(sql: string) => Promise<object[]>} ask in SQL that all engines accept
 * @property {() => Promise<{ rows: number, bytes: number }>} weigh counts all tables with their indexes
 * @property {() => Promise<void>} settle brings the database to the state of one filled a while ago
 * @property {() => Promise<() => Promise<number>>} watchCpu milliseconds of processor time of the database server from then on; an
 *   engine without a server works in the service's own process
 * @property {() => Promise<void>} remove
 */

const SQLITE = {
  name: 'SQLite',
  async openPlace() {
    const folder = await makeFolder();
    const path = join(folder.path, 'data');
    const use = (run) => {
      const sqlite = openAddon(join(path, 'service.db'));
      try {
        return run(sqlite);
      } finally {
        sqlite.close();
      }
    };
    return {
      path,
      settings: buildSettings(path),
      insert: async (table, rows) =>
        use((sqlite) => {
          let insert;
          sqlite.exec('BEGIN IMMEDIATE');
          for (const row of rows) {
            insert ??= sqlite.prepare(buildInsert(table, Object.keys(row)));
            insert.run(...Object.values(row));
          }
          sqlite.exec('COMMIT');
        }),
      ask: async (sql) => use((sqlite) => runStatement(sqlite.prepare(sql))),
      weigh: async () => use(weighFile),
      settle: async () => undefined,
      watchCpu: async () => async () => 0,
      remove: folder.remove,
    };
  },
};

const POSTGRES = {
  name: 'PostgreSQL',
  async openPlace() {
    const folder = await makeFolder();
    const path = join(folder.path, 'data');
    const name = `bench_${randomBytes(6).toString('hex')}`;
    await askServer(POSTGRES_URL, `CREATE DATABASE ${name} TEMPLATE template0`);
    const url = Object.assign(new URL(POSTGRES_URL), { pathname: `/${name}` }).href;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // The rows are consistent: no check of references, row by row.
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    const readBackends = async () => {
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return new Map(rows.flatMap(({ pid }) => (existsSync(`/proc/${pid}`) ? [[pid, readCpu(pid)]] : [])));
    };
    return {
      path,
      settings: buildSettings(path, { DATABASE_URL: url }),
      async insert(table, rows) {
        for (const batch of toBatches(rows)) await client.query(buildBatch(table, batch));
      },
      ask: async (sql) => (await client.query(sql)).rows,
      async weigh() {
        const { rows: tables } = await client.query(
          `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
        );
        let rows = 0;
        for (const { name } of tables) {
          rows += Number((await client.query(`SELECT count(*) AS total FROM ${name}`)).rows[0].total);
        }
        return { rows, bytes: tables.reduce((sum, { bytes }) => sum + Number(bytes), 0) };
      },
      settle: async () => void (await client.query('VACUUM ANALYZE')),
      async watchCpu() {
        const before = await readBackends();
        return async () => {
          const after = await readBackends();
          return [...after].reduce((sum, [pid, cpu]) => sum + cpu - (before.get(pid) ?? 0), 0);
        };
      },
      async remove() {
        await client.end();
        await askServer(POSTGRES_URL, `DROP DATABASE ${name} WITH (FORCE)`);
        await folder.remove();
      },
    };
  },
};

/** @type {readonly Engine[]} */
export const ENGINES = POSTGRES_URL ? [SQLITE, POSTGRES] : [SQLITE];

/**
 * Measures all engines in turn.
 *
 * @param {number} rounds
 * @param {readonly { engine: Engine, ours: () => Promise<number>, reference: () => Promise<number> }[]} sides
 * @returns {Promise<{ engine: string, ours: number[], reference: number[] }[]>}
 */
export async function alternateEngines(rounds, sides) {
  const runs = sides.flatMap(({ engine, ours, reference }) => [
    [`${engine.name}: ours`, ours],
    [`${engine.name}: reference`, reference],
  ]);
  const measured = await alternate(rounds, Object.fromEntries(runs));
  return sides.map(({ engine: { name } }) => ({
    engine: name,
    ours: measured[`${name}: ours`],
    reference: measured[`${name}: reference`],
  }));
}

/**
 * Milliseconds of processor time of one of several consecutive calls, in this process, which does nothing
 * else, and in the database server.
 *
 * @param {Place} place
 */
export async function timeCallsOn(place, calls, run) {
  const readServer = await place.watchCpu();
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 + (await readServer())) / calls;
}

function weighFile(sqlite) {
  const read = (name) => Number(sqlite.pragma(name, { simple: true }));
  const tables = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  const rows = tables.map(({ name }) => sqlite.prepare(`SELECT count(*) AS total FROM ${name}`).get().total);
  return {
    rows: rows.reduce((sum, total) => sum + total, 0),
    bytes: (read('page_count') - read('freelist_count')) * read('page_size'),
  };
}

function buildInsert(table, columns) {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

function runStatement(statement) {
  if (statement.reader) return statement.all();
  statement.run();
  return [];
}

function* toBatches(rows) {
  let batch = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** An array for each column. */
function buildBatch(table, rows) {
  const columns = Object.keys(rows[0]);
  const values = columns.map((column) => rows.map((row) => row[column]));
  const arrays = values.map((all, index) => {
    const type = all.some((value) => typeof value === 'number') ? 'bigint' : 'text';
    return `$${index + 1}::${type}[]`;
  });
  return {
    text: `INSERT INTO ${table} (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`,
    values,
  };
}

async function askServer(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
