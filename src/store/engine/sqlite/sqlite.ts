import BetterSqlite3 from 'better-sqlite3';
import { loadAddon } from './addon.js';

/**
 * Opens SQLite so that none of the addon's objects is ever collected: on Node 24.19 and later, better-sqlite3 before 13 ends
 * the process when a garbage collection outside JavaScript meets one of its statements or databases, and better-sqlite3 13
 * does not run on Node 20. So each statement is prepared once per text and kept, PRAGMAs included, and databases stay known
 * after closing. Texts are bounded: values are always parameters, and lists of them come in few lengths (see toBatches and
 * FewTextsCompiler). Throws AddonError where the addon does not load.
 */
export function openSqlite(file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  const sqlite = loadAddon(() => new BetterSqlite3(file, options));
  KEPT.add(sqlite);
  const statements = new Map<string, BetterSqlite3.Statement>();
  const prepareNew = sqlite.prepare.bind(sqlite) as (source: string) => BetterSqlite3.Statement;
  const prepare = (source: string): BetterSqlite3.Statement => {
    const known = statements.get(source);
    if (known) return known;
    const statement = prepareNew(source);
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
