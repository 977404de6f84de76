import { createRequire } from 'node:module';

/** This Node on this computer cannot load the addon that reads and writes SQLite; the message is one sentence. */
export class AddonError extends Error {
  override readonly name = 'AddonError';
}

/** Runs what loads the addon, at the first time or later. Throws AddonError. */
export function loadAddon<Result>(load: () => Result): Result {
  assertNode();
  try {
    return load();
  } catch (cause) {
    if (!isLoadFailure(cause)) throw cause;
    throw new AddonError(
      `The SQLite addon of this copy (better-sqlite3 ${readVersion()}) does not load in Node ${process.versions.node} on ${process.platform}-${process.arch} (${process.execPath}): install the service with this Node (npx -y marketplace-listing-service), or start it with the one that it was installed with.`,
      { cause },
    );
  }
}

/** The first version of the addon that is the same file for every Node, and the first Node that knows enough of it. */
const FIRST_FOR_ALL = 13;
const FIRST_NODE = 22;

/** Loading it into an older Node ends the process without a word, so that is not tried. */
function assertNode(): void {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_NODE) return;
  const version = readVersion();
  if (Number.parseInt(version, 10) < FIRST_FOR_ALL) return;
  throw new AddonError(
    `The SQLite addon of this copy (better-sqlite3 ${version}) needs Node ${FIRST_NODE} or later, and this is Node ${process.versions.node} (${process.execPath}): start it with a newer Node, or install the service with this one (npx -y marketplace-listing-service).`,
  );
}

let version: string | undefined;

function readVersion(): string {
  version ??= (createRequire(import.meta.url)('better-sqlite3/package.json') as { version: string }).version;
  return version;
}

/** Built for another Node, for another computer, or not there; versions before 13 then tell where they looked. */
function isLoadFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || 'tries' in error;
}
