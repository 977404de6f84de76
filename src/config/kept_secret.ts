import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_PASSWORD } from './database_password.js';

/**
 * Secret settings, each with the file of the data folder, readable only by its owner, that stores it if it is
 * not in the environment.
 */
const FILES = {
  ETSY_SHARED_SECRET: 'etsy_shared_secret',
  S3_SECRET_ACCESS_KEY: 's3_secret_access_key',
  [DATABASE_PASSWORD]: 'database_password',
} as const;

type KeptSecret = keyof typeof FILES;

export const KEPT_SECRETS = Object.keys(FILES) as KeptSecret[];

export function getSecretFile(data_dir: string, variable: KeptSecret): string {
  return join(data_dir, FILES[variable]);
}

/** Undefined if there is none. Throws an Error that names a file that cannot be read. */
export function readSecret(data_dir: string, variable: KeptSecret): string | undefined {
  const file = getSecretFile(data_dir, variable);
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new Error(`${file} could not be read.`, { cause });
  }
}
