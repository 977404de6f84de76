import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** This Node on this computer cannot load the SQLite addon; the message is one sentence. */
export class AddonError extends Error {
  override readonly name = 'AddonError';
}

/**
 * The first Node that major 13 of the addon runs on: loading it into an older one silently ends the process.
 */
const FIRST_NODE = 22;
const isOldNode = Number.parseInt(process.versions.node, 10) < FIRST_NODE;
const OLD = 'better-sqlite3';
const NEW = 'better-sqlite3-13';

/**
 * Of the two majors in package.json, the one for this Node. Before 13, the addon ends the process if a
 * garbage collection outside JavaScript meets one of its objects (Node 24.19 and later); 13 does not run on
 * Node 20. The lockfile lets npm install each only where it is used.
 */
export const SQLITE_PACKAGE = isOldNode ? OLD : NEW;

const require = createRequire(import.meta.url);

/** The addon's class, loaded at its first use. Throws AddonError. */
export function loadSqlite(): typeof BetterSqlite3 {
  return loadAddon(() => require(SQLITE_PACKAGE) as typeof BetterSqlite3);
}

/** Opens a file. Throws AddonError if the addon does not load. */
export function openAddon(file: string, options: BetterSqlite3.Options = {}): BetterSqlite3.Database {
  const Sqlite = loadSqlite();
  // Loads the compiled part.
  const sqlite = loadAddon(() => new Sqlite(file, options));
  return isOldNode ? keepAlive(sqlite) : sqlite;
}

/**
 * For the major whose objects must not be collected: a database stays referenced after it is closed, and so
 * do its statements.
 */
function keepAlive(sqlite: BetterSqlite3.Database): BetterSqlite3.Database {
  KEPT.add(sqlite);
  const prepareNew = sqlite.prepare.bind(sqlite) as (source: string) => BetterSqlite3.Statement;
  const prepare = (source: string): BetterSqlite3.Statement => {
    const statement = prepareNew(source);
    KEPT.add(statement);
    return statement;
  };
  return Object.assign(sqlite, { prepare });
}

const KEPT = new Set<unknown>();

/** Whether it is an error of the addon, such as SQLITE_BUSY. */
export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof loadSqlite().SqliteError;
}

/** Runs a function that loads the addon. Throws AddonError. */
export function loadAddon<Result>(load: () => Result): Result {
  try {
    return load();
  } catch (cause) {
    if (!isLoadFailure(cause)) throw cause;
    const newer = isOldNode && readVersion(OLD) === undefined ? readVersion(NEW) : undefined;
    throw new AddonError(newer === undefined ? describeFailure() : describeOldNode(newer), { cause });
  }
}

const NODE = `Node ${process.versions.node}`;

function describeFailure(): string {
  const version = readVersion(SQLITE_PACKAGE) ?? readVersion(isOldNode ? NEW : OLD);
  return `The SQLite addon of this copy (${version === undefined ? 'better-sqlite3' : `better-sqlite3 ${version}`}) does not load in ${NODE} on ${process.platform}-${process.arch} (${process.execPath}): install the service with this Node (npx -y marketplace-listing-service), or start it with the one that it was installed with.`;
}

function describeOldNode(version: string): string {
  return `The SQLite addon of this copy (better-sqlite3 ${version}) needs Node ${FIRST_NODE} or later, and this is ${NODE} (${process.execPath}): start it with a newer Node, or install the service with this one (npx -y marketplace-listing-service).`;
}

/** Undefined if it is not installed. */
function readVersion(name: string): string | undefined {
  try {
    return (require(`${name}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/**
 * Built for another Node or another computer, or missing; versions before 13 then list the places where they
 * searched.
 */
function isLoadFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || 'tries' in error;
}
