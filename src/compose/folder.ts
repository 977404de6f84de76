import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.js';

/**
 * A data folder belongs to the marketplace it was first used with: the sandbox's shops and tokens mean nothing to the real
 * one, and its listings would be looked for there. Throws ConfigError when it is used with the other.
 */
export async function claimFolder(data_dir: string, marketplace: string): Promise<void> {
  try {
    await writeFile(join(data_dir, OWNER_FILE), marketplace, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    const owner = await findFolderOwner(data_dir);
    if (owner === undefined || owner === marketplace) return;
    throw new ConfigError(
      `DATA_DIR ${data_dir} was made with MARKETPLACE=${owner}. Choose another folder for MARKETPLACE=${marketplace}.`,
    );
  }
}

/** The marketplace that a data folder was first used with; undefined where it has not been used. */
export async function findFolderOwner(data_dir: string): Promise<string | undefined> {
  try {
    // Empty for the moment between a first start's making the file and writing to it.
    return (await readFile(join(data_dir, OWNER_FILE), 'utf8')).trim() || undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}

export const OWNER_FILE = 'marketplace';

/** Where the embedded marketplace of a data folder keeps everything. */
export function getSandboxFile(data_dir: string): string {
  return join(data_dir, 'sandbox.db');
}
