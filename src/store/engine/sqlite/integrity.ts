import type BetterSqlite3 from 'better-sqlite3';
import { isSqliteError } from '../../../sqlite.js';

/** The damage that SQLite finds in the file, first problem first; empty if there is none. */
export function listDamage(
  sqlite: BetterSqlite3.Database,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): string[] {
  try {
    const rows = sqlite.prepare<[], Record<string, string>>(`PRAGMA ${check}(3)`).all();
    const lines = rows.flatMap((row) => Object.values(row)).filter((line) => line !== 'ok');
    return lines.map((line) => line.replace(/\s+/g, ' '));
  } catch (error) {
    if (isDamage(error)) return [error.message];
    throw error;
  }
}

/** True if SQLite says that the file is broken, or not a database. */
export function isDamage(error: unknown): error is Error {
  return isSqliteError(error) && (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT'));
}
