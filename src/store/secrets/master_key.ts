import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import type { Transaction } from 'kysely';
import type { Randomness } from '../../core/ports/index.js';
import type { Engine } from '../engine/engine.js';
import { closeFile, writeSecretFile } from '../engine/sqlite/files.js';
import type { Tables } from '../schema.js';
import { createSecrets, createUnseal, type Secrets } from './secrets.js';
import { StoreError } from '../store_error.js';

export const KEY_BYTES = 32;
const CHECK_PLACE = { table: 'master_key_check', row: [1], column: 'sealed' } as const;
const CHECK_TEXT = 'this is the key';

/** `file`: the key file, used if no key is given. */
export type KeySource = { master_key: string | undefined; file: string };

/**
 * The secrets of this database. The key is the given one, otherwise the key file's, otherwise a new one that is written
 * there: of several first starts, one creates it. Throws StoreError at once if the key is not that of the first start, or if
 * the key file was lost.
 */
export async function openSecrets(
  engine: Pick<Engine<Tables>, 'write'>,
  source: KeySource,
  randomness: Randomness,
): Promise<Secrets> {
  return engine.write(async (trx) => {
    await settleKeyFile(trx, source.file);
    if (source.master_key === undefined) closeFile(source.file);
    const found = findKey(source);
    const key = found ?? randomness.bytes(KEY_BYTES);
    const secrets = createSecrets(key, randomness);
    const isFirst = await insertCheck(trx, secrets.seal(CHECK_TEXT, CHECK_PLACE));
    if (!isFirst) {
      if (!found) throw buildLostKeyError(source.file);
      await lockKey(trx);
      await requireKey(trx, key, source);
    } else if (!found) {
      writeSecretFile(source.file, key.toString('base64'));
    }
    return secrets;
  });
}

/** The same without creating or changing anything. Also throws StoreError if there is no key yet. */
export async function readSecrets(
  trx: Transaction<Tables>,
  source: KeySource,
): Promise<Pick<Secrets, 'unseal'>> {
  const check = await findCheck(trx);
  const next = getNextKeyFile(source.file);
  // An interrupted rotation left it, and the next start puts it in place.
  const isNext =
    source.master_key === undefined && existsSync(next) && (await isKeyOf(trx, readKeyFile(next)));
  const key = isNext ? readKeyFile(next) : findKey(source);
  if (!key || !check) throw buildLostKeyError(source.file);
  const unseal = createUnseal(key);
  unseal(check.sealed, CHECK_PLACE);
  return { unseal };
}

/**
 * The key stays unchanged until the end of the transaction: a start waits for a rotation, and then finds that its own key is
 * the old one.
 */
export async function lockKey(trx: Transaction<Tables>): Promise<void> {
  await trx.updateTable('master_key_check').set({ id: 1 }).where('id', '=', 1).execute();
}

/** The path of a key that is about to replace the key file's. */
export function getNextKeyFile(file: string): string {
  return `${file}.next`;
}

/**
 * Finishes an interrupted rotation: the next key replaces the old one if the database was encrypted with it, otherwise it is
 * deleted.
 */
export async function settleKeyFile(trx: Transaction<Tables>, file: string): Promise<void> {
  const next = getNextKeyFile(file);
  if (!existsSync(next)) return;
  if (await isKeyOf(trx, readKeyFile(next))) renameSync(next, file);
  else rmSync(next);
}

/** Whether this key encrypted the content of the database; true for any key if nothing was encrypted yet. */
export async function isKeyOf(trx: Transaction<Tables>, key: Buffer): Promise<boolean> {
  const check = await findCheck(trx);
  if (!check) return true;
  try {
    createUnseal(key)(check.sealed, CHECK_PLACE);
    return true;
  } catch {
    return false;
  }
}

async function findCheck(trx: Transaction<Tables>): Promise<{ sealed: Buffer } | undefined> {
  return trx.selectFrom('master_key_check').select('sealed').where('id', '=', 1).executeTakeFirst();
}

function findKey({ master_key, file }: KeySource): Buffer | undefined {
  if (master_key !== undefined) return parseMasterKey(master_key, 'MASTER_KEY');
  if (!existsSync(file)) return undefined;
  return readKeyFile(file);
}

/** Throws StoreError if it contains no key. */
export function readKeyFile(file: string): Buffer {
  return parseMasterKey(readFileSync(file, 'utf8').trim(), file);
}

/** False if the database already has a key: of several first starts, even of instances on several computers, one decides. */
async function insertCheck(trx: Transaction<Tables>, sealed: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('master_key_check')
    .values({ id: 1, sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Throws StoreError if the database has another key. */
async function requireKey(
  trx: Transaction<Tables>,
  key: Buffer,
  { master_key, file }: KeySource,
): Promise<void> {
  if (await isKeyOf(trx, key)) return;
  const name = master_key === undefined ? file : 'MASTER_KEY';
  throw new StoreError(
    `${name} is not the key that the database was sealed with. Give this instance the key of the first start, which all instances share.`,
  );
}

function buildLostKeyError(file: string): StoreError {
  return new StoreError(
    `${file} is missing, and the stored secrets cannot be read without it. Put it back, or set MASTER_KEY to the key it held.`,
  );
}

/** @param text base64 of 32 bytes, or 64 hexadecimal digits; throws StoreError for anything else, without repeating it */
export function parseMasterKey(text: string, name: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[0-9A-Za-z+/]{43}=?$/.test(text)) return Buffer.from(text, 'base64');
  throw new StoreError(
    `${name} is not a key: give the base64 of 32 random bytes (openssl rand -base64 32) or 64 hexadecimal digits.`,
  );
}
