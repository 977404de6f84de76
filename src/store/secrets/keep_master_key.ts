import { existsSync } from 'node:fs';
import { openReads } from '../engine/sqlite/engine.js';
import { listStoreFiles, writeSecretFile } from '../engine/sqlite/files.js';
import { isKeyOf, parseMasterKey, readKeyFile } from './master_key.js';
import type { Tables } from '../schema.js';
import { StoreError } from '../store_error.js';

/**
 * Stores a master key from elsewhere in the key file, so that it is not needed anywhere else. `strange`: the database was
 * encrypted with another key, and nothing was written. Throws StoreError if the file contains another key.
 */
export async function keepMasterKey(data_dir: string, master_key: string): Promise<'kept' | 'strange'> {
  const { service, master_key: file } = listStoreFiles(data_dir);
  const key = parseMasterKey(master_key, 'MASTER_KEY');
  if (!(await isKeyOfFile(service, key))) return 'strange';
  if (!existsSync(file)) writeSecretFile(file, key.toString('base64'));
  else if (!readKeyFile(file).equals(key)) {
    throw new StoreError(`${file} holds another key than MASTER_KEY. Move the one away that is not needed.`);
  }
  return 'kept';
}

/** Stores a key that is about to be removed elsewhere, if there is a database that it opens and no key file. */
export async function rescueMasterKey(data_dir: string, master_key: string): Promise<void> {
  const { service, master_key: file } = listStoreFiles(data_dir);
  if (existsSync(service) && !existsSync(file)) await keepMasterKey(data_dir, master_key);
}

async function isKeyOfFile(file: string, key: Buffer): Promise<boolean> {
  if (!existsSync(file)) return true;
  const { read, close } = openReads<Tables>(file);
  try {
    return await read((trx) => isKeyOf(trx, key));
  } finally {
    await close();
  }
}
