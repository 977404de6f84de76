import BetterSqlite3 from 'better-sqlite3';
import { loadAddon } from './addon.js';

/**
 * Opens SQLite so that none of the addon's objects is ever collected: on Node 24.19 and later, better-sqlite3 before 13 ends
 * the process when a garbage collection outside JavaScript meets one of its statements or databases, and better-sqlite3 13
 * does not run on Node 20. So each statement is prepared once per text and kept, PRAGMAs included, and databases stay known
 * after closing. Texts are bounded: values are always parameters. Throws AddonError where the addon does not load.
 */
export function openSqlite(file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  const sqlite = loadAddon(() => new BetterSqlite3(file, options));
  KEPT.add(sqlite);
  const statements = new Map<string, BetterSqlite3.Statement>();
  const writes = { count: 0 };
  WRITES.set(sqlite, writes);
  const prepareNew = sqlite.prepare.bind(sqlite) as (source: string) => BetterSqlite3.Statement;
  const prepare = (source: string): BetterSqlite3.Statement => {
    const known = statements.get(source);
    if (known) return known;
    const statement = prepareNew(source);
    if (!statement.readonly) countRuns(statement, writes);
    statements.set(source, statement);
    return statement;
  };
  const pragma: BetterSqlite3.Database['pragma'] = (source, { simple = false } = {}) => {
    const statement = prepare(`PRAGMA ${source}`);
    if (!statement.reader) return statement.run();
    const rows = statement.all() as Record<string, unknown>[];
    return simple ? Object.values(rows[0] ?? {})[0] : rows;
  };
  return Object.assign(sqlite, { prepare, pragma });
}

const KEPT = new Set<BetterSqlite3.Database>();

type Writes = { count: number };

const WRITES = new WeakMap<BetterSqlite3.Database, Writes>();

/**
 * How often statements that may change something have run on a database of openSqlite, undone ones too. SQLite counts changes
 * itself, but asking it takes a statement. What goes through `exec` is not counted: transactions begin and end there.
 */
export function getWrites(sqlite: BetterSqlite3.Database): Readonly<Writes> {
  const writes = WRITES.get(sqlite);
  if (!writes) throw new Error('the database was not opened by openSqlite');
  return writes;
}

function countRuns(statement: BetterSqlite3.Statement, writes: Writes): void {
  const count =
    <Values extends unknown[], Result>(run: (...values: Values) => Result) =>
    (...values: Values): Result => {
      writes.count += 1;
      return run.apply(statement, values);
    };
  Object.assign(statement, {
    run: count(statement.run),
    get: count(statement.get),
    all: count(statement.all),
    iterate: count(statement.iterate),
  });
}
