import { existsSync } from 'node:fs';
import { openReads } from '../engine/sqlite/engine.js';
import { listStoreFiles, writeSecretFile } from '../engine/sqlite/files.js';
import { isKeyOf, parseMasterKey, readKeyFile } from './master_key.js';
import type { Tables } from '../schema.js';
import { StoreError } from '../store_error.js';

/**
 * Puts a master key that came from elsewhere into the key file, so that it is needed nowhere else. `strange`: it is not the one that the
 * database was sealed with, and nothing was written. Throws StoreError when the file holds another key.
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

/** Keeps a key that is about to be forgotten elsewhere, where there is a database that it opens and no key file. */
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
