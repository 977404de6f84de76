import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { loadConfig } from '../../config.js';
import { getSecretFile, KEPT_SECRETS } from '../../config/kept_secret.js';
import { toPath } from '../../config/parse.js';
import { keepMasterKey, rescueMasterKey, writeSecretFile } from '../../store/index.js';
import { say } from '../output.js';
import type { Client } from './clients.js';
import { listBackups, rewriteBackup } from './config_file.js';
import { putEntry, readEntry } from './edit.js';
import { dropSecrets, isObject, listSecretsHere, pickSecrets, SERVER_NAME, type Entry } from './entry.js';

/* Secrets are in the data folder, readable only by its owner, and a client's file only says where that
   folder is. Entries of earlier versions, and manual entries, may still contain secrets. */

/**
 * Stores the current settings' secrets in the folder that the entry names. Throws if the master key does not
 * belong there.
 */
export async function keepSecretsHere(entry: Entry): Promise<void> {
  const secrets = listSecretsHere();
  const { MASTER_KEY } = secrets;
  const data_dir = findFolder(entry);
  if (MASTER_KEY !== undefined && (await keepMasterKey(data_dir, MASTER_KEY)) === 'strange') {
    throw new Error(`MASTER_KEY is not the key that encrypts ${data_dir}; nothing was written.`);
  }
  for (const variable of KEPT_SECRETS) {
    const secret = secrets[variable];
    if (secret !== undefined) writeSecretFile(getSecretFile(data_dir, variable), secret);
  }
}

/**
 * Does the same for the secrets in an old entry, unless the folder has newer ones: without its master key, a
 * folder could no longer be read.
 */
export async function keepOldSecrets(client: Client, old: unknown, entry: unknown): Promise<void> {
  const secrets = pickSecrets(old);
  const { MASTER_KEY } = secrets;
  if (Object.keys(secrets).length === 0) return;
  const data_dir = findFolder(entry);
  if (MASTER_KEY !== undefined && (await keepMasterKey(data_dir, MASTER_KEY)) === 'strange') {
    say(`${client.name}: its MASTER_KEY is not the key that encrypts ${data_dir}, and is left out.`);
  }
  for (const variable of KEPT_SECRETS) {
    const file = getSecretFile(data_dir, variable);
    const secret = secrets[variable];
    if (secret !== undefined && !existsSync(file)) writeSecretFile(file, secret);
  }
}

/** The file's text without the secrets in our entry, for its copy; undefined if it has none. */
export function takeSecretsOut({ servers }: Client, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const entry = readEntry(text, servers, SERVER_NAME);
  if (!isObject(entry) || Object.keys(pickSecrets(entry)).length === 0) return undefined;
  return putEntry(text, servers, SERVER_NAME, dropSecrets(entry));
}

/**
 * Removes them from the copies that earlier runs left. One of the copies may be the last place that has the
 * key of a folder.
 */
export async function cleanBackups(client: Client): Promise<void> {
  for (const backup of await listBackups(client.file)) {
    const text = await readFile(backup, 'utf8');
    const cleaned = clean(client, text);
    if (cleaned === undefined) continue;
    const entry = readEntry(text, client.servers, SERVER_NAME);
    const { MASTER_KEY } = pickSecrets(entry);
    if (MASTER_KEY !== undefined) await rescueMasterKey(findFolder(entry), MASTER_KEY);
    await rewriteBackup(backup, cleaned);
  }
}

function clean(client: Client, text: string): string | undefined {
  try {
    return takeSecretsOut(client, text);
  } catch {
    // Not JSON, so not a copy of ours: we only copy files that we could parse.
    return undefined;
  }
}

function findFolder(entry: unknown): string {
  const env = isObject(entry) && isObject(entry['env']) ? entry['env'] : {};
  return typeof env['DATA_DIR'] === 'string' ? toPath(env['DATA_DIR']) : loadConfig().data_dir;
}
