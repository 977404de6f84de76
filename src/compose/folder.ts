import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../config.js';

/**
 * A data folder belongs to the marketplace it was first used with: the sandbox's shops and tokens mean nothing to the real
 * one, and its listings would be looked for there. Throws ConfigError when it is used with the other.
 */
export async function claimFolder(data_dir: string, marketplace: string): Promise<void> {
  const file = join(data_dir, 'marketplace');
  try {
    await writeFile(file, marketplace, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    const owner = (await readFile(file, 'utf8')).trim();
    // Empty for the moment between another first start's making the file and writing to it.
    if (owner === marketplace || owner === '') return;
    throw new ConfigError(
      `DATA_DIR ${data_dir} was made with MARKETPLACE=${owner}. Choose another folder for MARKETPLACE=${marketplace}.`,
    );
  }
}
