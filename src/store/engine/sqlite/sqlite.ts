import type BetterSqlite3 from 'better-sqlite3';
import { openAddon } from '../../../sqlite.js';

/**
 * Opens SQLite so that each statement is prepared once per text and kept, PRAGMAs included. The number of texts is bounded:
 * values are always parameters, and lists of them come in few lengths (see toBatches and FewTextsCompiler). Throws AddonError
 * if the addon does not load.
 */
export function openSqlite(file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  const sqlite = openAddon(file, options);
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
