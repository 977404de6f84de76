import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config.js';
import type { Store } from '../core/ports/index.js';

/**
 * A data folder, and a database that several computers share, belong to the marketplace they were first used
 * with: the sandbox's shops and tokens mean nothing to the real one, and its listings would be searched for
 * there. Throws ConfigError if one of them is used with the other; then neither is claimed.
 */
export async function claimMarketplace(
  { data_dir, marketplace }: Pick<Config, 'data_dir' | 'marketplace'>,
  store: Pick<Store, 'keepMarketplace'>,
): Promise<void> {
  requireFolder(data_dir, await findFolderOwner(data_dir), marketplace);
  const owner = await store.keepMarketplace(marketplace);
  if (owner !== marketplace) {
    throw new ConfigError(
      `The database at DATABASE_URL was created with MARKETPLACE=${owner}. Choose another database for MARKETPLACE=${marketplace}.`,
    );
  }
  await claimFolder(data_dir, marketplace);
}

/** Claims only the folder. */
export async function claimFolder(data_dir: string, marketplace: string): Promise<void> {
  try {
    await writeFile(join(data_dir, OWNER_FILE), marketplace, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    requireFolder(data_dir, await findFolderOwner(data_dir), marketplace);
  }
}

/** @param owner undefined if the folder has none yet */
function requireFolder(data_dir: string, owner: string | undefined, marketplace: string): void {
  if (owner === undefined || owner === marketplace) return;
  throw new ConfigError(
    `DATA_DIR ${data_dir} was created with MARKETPLACE=${owner}. Choose another folder for MARKETPLACE=${marketplace}.`,
  );
}

/** The marketplace that a data folder was first used with; undefined if it has not been used. */
export async function findFolderOwner(data_dir: string): Promise<string | undefined> {
  try {
    // Empty for the moment between the creation of the file and the first write.
    return (await readFile(join(data_dir, OWNER_FILE), 'utf8')).trim() || undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

export const OWNER_FILE = 'marketplace';

/** The file in which the embedded marketplace of a data folder stores everything. */
export function getSandboxFile(data_dir: string): string {
  return join(data_dir, 'sandbox.db');
}
