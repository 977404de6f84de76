import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { createDatabase, dropDatabase } from './databases.js';
import { TEMPLATE } from './setup.js';

/** The server this run's stores are on. */
export const ENGINE = inject('postgres_url') === undefined ? 'sqlite' : 'postgres';

/** By data folder, because a folder identifies a store on either engine. */
const databases = new Map<string, Promise<string>>();

/**
 * The DATABASE_URL of the store identified by a data folder, created on first use; undefined if the run is on
 * SQLite.
 * @param template the database to copy
 */
export function getDatabase(data_dir: string, template = TEMPLATE): Promise<string> | undefined {
  const url = inject('postgres_url');
  if (url === undefined) return undefined;
  const known = databases.get(data_dir) ?? make(url, template);
  databases.set(data_dir, known);
  return known;
}

/** Makes a folder's store a copy of another folder's, which no process has open. */
export async function copyDatabase(from_dir: string, data_dir: string): Promise<void> {
  const from = await getDatabase(from_dir);
  if (from !== undefined) await getDatabase(data_dir, new URL(from).pathname.slice(1));
}

/** Does nothing if it does not exist. */
export async function removeDatabase(data_dir: string): Promise<void> {
  const known = databases.get(data_dir);
  databases.delete(data_dir);
  if (known) await dropDatabase(inject('postgres_url') ?? '', new URL(await known).pathname.slice(1));
}

async function make(url: string, template: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await createDatabase(url, name, template);
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}
