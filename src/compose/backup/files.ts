import { getSecretFile, KEPT_SECRETS } from '../../config/kept_secret.js';
import { listStoreFiles } from '../../store/index.js';
import { OWNER_FILE } from '../folder.js';
import { SHOPS_CONNECTED_FILE } from '../sandbox_shops.js';

/** Files that a backup and a data folder have under the same names, besides the database and the sandbox's. */
export const PLAIN_FILES = [OWNER_FILE, SHOPS_CONNECTED_FILE] as const;

/**
 * Files of a folder that contain secrets in clear text: with them, a backup is all that is needed to use the
 * shops.
 */
export function listKeyFiles(folder: string): string[] {
  const kept = KEPT_SECRETS.map((variable) => getSecretFile(folder, variable));
  return [listStoreFiles(folder).master_key, ...kept];
}
