import { existsSync } from 'node:fs';
import type { Transaction } from 'kysely';
import type { Account } from '../../core/ports/index.js';
import { createReader } from '../engine/sqlite/engine.js';
import { listStoreFiles } from '../engine/sqlite/files.js';
import { openSqlite } from '../engine/sqlite/sqlite.js';
import type { Tables } from '../schema.js';
import { StoreError } from '../store_error.js';

/** The account whose id identifies the installation in file storage. Throws StoreError if nothing was ever started. */
export async function getFirstAccount(trx: Transaction<Tables>): Promise<Account> {
  const account = await trx
    .selectFrom('accounts')
    .select(['account_id', 'name', 'created_at'])
    .where('is_default', '=', 1)
    .executeTakeFirst();
  if (account) return account;
  throw new StoreError('The database has no account: nothing was ever started on it.');
}

/** The same for a data folder, even while it is in use. */
export async function readFirstAccount(data_dir: string): Promise<Account> {
  const { service } = listStoreFiles(data_dir);
  if (!existsSync(service)) throw new StoreError(`There is no database at ${service}. Check DATA_DIR.`);
  const { read, close } = createReader<Tables>(openSqlite(service, { fileMustExist: true }));
  try {
    return await read(getFirstAccount);
  } finally {
    await close();
  }
}
