import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where ETSY_SHARED_SECRET lies when it is not in the environment: in the data folder, for its owner alone. */
export function getSharedSecretFile(data_dir: string): string {
  return join(data_dir, 'etsy_shared_secret');
}

/** Undefined when there is none. Throws an Error that names a file that cannot be read. */
export function readSharedSecret(data_dir: string): string | undefined {
  const file = getSharedSecretFile(data_dir);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new Error(`${file} could not be read.`, { cause });
  }
}
