import { existsSync } from 'node:fs';
import { listStoreFiles, writeSecretFile } from '../engine/sqlite/files.js';
import { isKeyOf, parseMasterKey, readKeyFile } from './master_key.js';
import { openSqlite } from '../engine/sqlite/sqlite.js';
import { StoreError } from '../store_error.js';

/**
 * Puts a master key that came from elsewhere into the key file, so that it is needed nowhere else. `strange`: it is not the one that the
 * database was sealed with, and nothing was written. Throws StoreError when the file holds another key.
 */
export function keepMasterKey(data_dir: string, master_key: string): 'kept' | 'strange' {
  const { service, master_key: file } = listStoreFiles(data_dir);
  const key = parseMasterKey(master_key, 'MASTER_KEY');
  if (!isKeyOfFile(service, key)) return 'strange';
  if (!existsSync(file)) writeSecretFile(file, key.toString('base64'));
  else if (!readKeyFile(file).equals(key)) {
    throw new StoreError(`${file} holds another key than MASTER_KEY. Move the one away that is not needed.`);
  }
  return 'kept';
}

/** Keeps a key that is about to be forgotten elsewhere, where there is a database that it opens and no key file. */
export function rescueMasterKey(data_dir: string, master_key: string): void {
  const { service, master_key: file } = listStoreFiles(data_dir);
  if (existsSync(service) && !existsSync(file)) keepMasterKey(data_dir, master_key);
}

function isKeyOfFile(file: string, key: Buffer): boolean {
  if (!existsSync(file)) return true;
  const sqlite = openSqlite(file, { fileMustExist: true });
  try {
    return isKeyOf(sqlite, key);
  } finally {
    sqlite.close();
  }
}
