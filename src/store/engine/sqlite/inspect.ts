import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { SERVICE_SCHEMA } from '../../migrations/sqlite/schema.js';
import type { Tables } from '../../schema.js';
import type { Engine } from '../engine.js';
import { createReader } from './engine.js';
import { isDamage, listDamage } from './integrity.js';
import { findMisfit, getKnownVersion } from './migrate.js';
import { findLastRestore, type Restore } from './restores.js';
import { openSqlite } from './sqlite.js';

/** Facts that SQLite reports about a database of any schema. */
export type DatabaseFacts = {
  schema_version: number;
  /** The version of this release. */
  known_version: number;
  /** Why this release must not start on it, two sentences; undefined if it may. */
  obstacle: string | undefined;
  journal_mode: string;
  sqlite_version: string;
  /** Undefined if it was never replaced by a backup. */
  restore: Restore | undefined;
};

type Inspection<Content> =
  { state: 'damaged'; reason: string } | ({ state: 'sound'; content: Content } & DatabaseFacts);

/**
 * Inspects an existing service.db, even while it is in use, and leaves every byte unchanged.
 *
 * @param read reads more from a sound database
 */
export async function inspectDatabase<Content>(
  file: string,
  read: (database: Pick<Engine<Tables>, 'read'>) => Promise<Content>,
): Promise<Inspection<Content>> {
  const copied = copyAtRest(file);
  try {
    return await inspectFile({ file, path: copied === undefined ? file : join(copied, COPY) }, read);
  } finally {
    if (copied !== undefined) rmSync(copied, { recursive: true, force: true });
  }
}

const COPY = 'service.db';

/**
 * A reader of an idle database would leave a -wal and a -shm next to it, so it reads a copy; a database that is in use has
 * them, and is read in place. Returns the folder of the copy.
 */
function copyAtRest(file: string): string | undefined {
  if (existsSync(`${file}-wal`)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'listing-service-inspect-'));
  copyFileSync(file, join(folder, COPY));
  return folder;
}

/** @param source `path`: where the file, or a copy of it, is read */
async function inspectFile<Content>(
  { file, path }: { file: string; path: string },
  read: (database: Pick<Engine<Tables>, 'read'>) => Promise<Content>,
): Promise<Inspection<Content>> {
  const sqlite = openSqlite(path, { readonly: true, fileMustExist: true });
  const database = createReader<Tables>(sqlite);
  try {
    const damage = listDamage(sqlite);
    if (damage.length > 0) return { state: 'damaged', reason: damage.join('; ') };
    return { state: 'sound', ...readFacts(sqlite, file), content: await read(database) };
  } catch (error) {
    if (isDamage(error)) return { state: 'damaged', reason: error.message };
    throw error;
  } finally {
    await database.close();
  }
}

function readFacts(sqlite: BetterSqlite3.Database, file: string): DatabaseFacts {
  const readPragma = (name: string): unknown => sqlite.pragma(name, { simple: true });
  return {
    schema_version: Number(readPragma('user_version')),
    known_version: getKnownVersion(SERVICE_SCHEMA),
    obstacle: findMisfit(sqlite, file, SERVICE_SCHEMA),
    journal_mode: String(readPragma('journal_mode')),
    sqlite_version:
      sqlite.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? '',
    restore: findLastRestore(sqlite),
  };
}
