import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { openAlone, whenAlone } from '../engine/sqlite/alone.js';
import { listStoreFiles, writeSecretFile } from '../engine/sqlite/files.js';
import { rollback } from '../engine/sqlite/locking.js';
import { getNextKeyFile, KEY_BYTES, readSecrets, settleKeyFile } from './master_key.js';
import { isUpToDate } from '../engine/sqlite/migrate.js';
import { SERVICE_SCHEMA } from '../migrations/sqlite/schema.js';
import { SEALED_COLUMNS } from './sealed_columns.js';
import { createSecrets, type Secrets } from './secrets.js';
import { StoreError } from '../store_error.js';

/**
 * Seals every secret of the data directory with a new key, all or none, and puts that into the key file. Throws StoreError while another
 * process has the directory open, since that would go on with the old key. What it gave out sealed (continuations) is over.
 *
 * The new key is on disk before anything is sealed with it, beside the old one, and takes the place of that after the commit: a start
 * after a crash in between finds the one that fits.
 */
export async function rotateMasterKey(options: {
  data_dir: string;
  master_key: string | undefined;
}): Promise<{ key_file: string; resealed: number }> {
  const files = listStoreFiles(resolve(options.data_dir));
  if (!existsSync(files.service)) {
    throw new StoreError(`There is no database at ${files.service}. Check DATA_DIR.`);
  }
  const sqlite = await whenAlone(
    `Another process has ${files.service} open. Stop the service, and the assistants on this computer that use it, then try again.`,
    () => openAlone(files.service),
  );
  try {
    if (!isUpToDate(sqlite, SERVICE_SCHEMA)) {
      throw new StoreError(`${files.service} is of another release. Start this one once, then try again.`);
    }
    settleKeyFile(sqlite, files.master_key);
    const old = readSecrets(sqlite, { master_key: options.master_key, file: files.master_key });
    const key = randomBytes(KEY_BYTES);
    writeSecretFile(getNextKeyFile(files.master_key), key.toString('base64'));
    const resealed = reseal(sqlite, old, createSecrets(key));
    sqlite.exec('COMMIT');
    settleKeyFile(sqlite, files.master_key);
    // The proof that the database is of the key is no secret of anybody.
    return { key_file: files.master_key, resealed: resealed - 1 };
  } finally {
    rollback(sqlite);
    sqlite.close();
  }
}

/** How many secrets there were. */
function reseal(sqlite: BetterSqlite3.Database, old: Secrets, fresh: Secrets): number {
  let count = 0;
  for (const { table, row, columns } of SEALED_COLUMNS) {
    const rows = sqlite
      .prepare<[], Record<string, string | number | Buffer | null>>(
        `SELECT ${[...row, ...columns].join(', ')} FROM ${table}`,
      )
      .all();
    const where = row.map((name) => `${name} = ?`).join(' AND ');
    for (const found of rows) {
      const name = row.map((part) => found[part] as string | number);
      for (const column of columns) {
        const sealed = found[column];
        if (!Buffer.isBuffer(sealed)) continue;
        const place = { table, row: name, column };
        const again = fresh.seal(old.unseal(sealed, place), place);
        sqlite.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(again, ...name);
        count += 1;
      }
    }
  }
  return count;
}
