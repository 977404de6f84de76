import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql, type Transaction } from 'kysely';
import type { Clock, Log, Randomness } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { checkHold } from '../engine/holds.js';
import { openExclusively, retryUntilExclusive } from '../engine/sqlite/exclusive.js';
import { closeDirectory, listStoreFiles, writeSecretFile } from '../engine/sqlite/files.js';
import { createWriter } from '../engine/sqlite/engine.js';
import { getNextKeyFile, KEY_BYTES, lockKey, readSecrets, settleKeyFile } from './master_key.js';
import { isUpToDate } from '../engine/sqlite/migrate.js';
import { SERVICE_SCHEMA } from '../migrations/sqlite/schema.js';
import type { Tables } from '../schema.js';
import { SEALED_COLUMNS } from './sealed_columns.js';
import { createSecrets, type Secrets } from './secrets.js';
import { StoreError } from '../store_error.js';

/**
 * Encrypts every secret of the database with a new key, all or none, and puts that key into the key file. Throws StoreError
 * while an instance runs on the database, since that would continue with the old key. Encrypted texts that the service gave
 * out (continuations) become invalid.
 *
 * The new key is on disk before anything is encrypted with it, next to the old one, and replaces the old one after the
 * commit: a start after a crash in between finds the one that fits.
 */
export async function rotateMasterKey(options: {
  data_dir: string;
  database_url: string | undefined;
  master_key: string | undefined;
  /** Of this process. */
  rotation_id: string;
  clock: Clock;
  log: Log;
  randomness: Randomness;
}): Promise<{ key_file: string; resealed: number }> {
  const files = listStoreFiles(resolve(options.data_dir));
  const { database_url } = options;
  const { write, requireAlone, close } =
    database_url === undefined
      ? await openFolder(files)
      : await openServer({ ...options, data_dir: resolve(options.data_dir), database_url });
  try {
    const resealed = await write(async (trx) => {
      await lockKey(trx);
      await requireAlone();
      await settleKeyFile(trx, files.master_key);
      const old = await readSecrets(trx, { master_key: options.master_key, file: files.master_key });
      const key = options.randomness.bytes(KEY_BYTES);
      writeSecretFile(getNextKeyFile(files.master_key), key.toString('base64'));
      return reseal(trx, old, createSecrets(key, options.randomness));
    });
    await write((trx) => settleKeyFile(trx, files.master_key));
    // The value that proves which key the database has is not a secret.
    return { key_file: files.master_key, resealed: resealed - 1 };
  } finally {
    await close();
  }
}

/** A database on which nothing else runs. */
type Place = {
  write: Engine<Tables>['write'];
  /** Throws StoreError if an instance has started in the meantime. One that starts later waits for the lock of the key. */
  requireAlone(): Promise<void>;
  close(): Promise<void>;
};

async function openFolder(files: ReturnType<typeof listStoreFiles>): Promise<Place> {
  if (!existsSync(files.service)) {
    throw new StoreError(`There is no database at ${files.service}. Check DATA_DIR.`);
  }
  const sqlite = await retryUntilExclusive(
    `Another process has ${files.service} open. Stop the service, and the assistants on this computer that use it, then try again.`,
    () => openExclusively(files.service),
  );
  const { write, close } = createWriter<Tables>(sqlite);
  if (!isUpToDate(sqlite, SERVICE_SCHEMA)) {
    await close();
    throw new StoreError(`${files.service} is of another release. Start this one once, then try again.`);
  }
  // No other process can open it.
  return { write, requireAlone: () => Promise.resolve(), close };
}

async function openServer(options: {
  data_dir: string;
  database_url: string;
  rotation_id: string;
  clock: Clock;
  log: Log;
}): Promise<Place> {
  closeDirectory(options.data_dir);
  const { openPostgresPlace } = await import('../engine/postgres/move_place.js');
  const { database_url: url, rotation_id: move_id, clock, log } = options;
  const place = await openPostgresPlace({ url, move_id, clock, log });
  const close = () => place.close();
  try {
    checkHold(await place.findHold(), place.name);
    await place.checkAlone();
  } catch (error) {
    await close();
    throw error;
  }
  return { write: (work) => place.service.write(work), requireAlone: () => place.checkAlone(), close };
}

/** Returns the number of secrets. */
async function reseal(
  trx: Transaction<Tables>,
  old: Pick<Secrets, 'unseal'>,
  fresh: Pick<Secrets, 'seal'>,
): Promise<number> {
  let count = 0;
  for (const { table, row, columns } of SEALED_COLUMNS) {
    const names = sql.join([...row, ...columns].map((name) => sql.ref(name)));
    const { rows } = await sql<Row>`SELECT ${names} FROM ${sql.table(table)}`.execute(trx);
    for (const found of rows) {
      const where = sql.join(
        row.map((name) => sql`${sql.ref(name)} = ${found[name]}`),
        sql` AND `,
      );
      for (const column of columns) {
        const sealed = found[column];
        if (!Buffer.isBuffer(sealed)) continue;
        const place = { table, row: row.map((name) => found[name] as string | number), column };
        const again = fresh.seal(old.unseal(sealed, place), place);
        await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${again} WHERE ${where}`.execute(trx);
        count += 1;
      }
    }
  }
  return count;
}

type Row = Record<string, string | number | Buffer | null>;
