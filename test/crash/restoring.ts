import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openAddon } from '../../src/sqlite.js';
import { runCli } from '../surfaces/faces.js';
import type { Known } from './seller.js';
import type { World } from './world.js';

/** Copies the database while it is in use, with the command in operators.md. Returns the file. */
export async function backUp({ environment, folder }: World, name: string): Promise<string> {
  const { PATH = '' } = process.env;
  const file = join(folder, `${name}.db`);
  const { code, stderr } = await runCli(['backup', file], { PATH, ...environment });
  if (code !== 0) throw new Error(`the backup failed: ${stderr}`);
  return file;
}

/**
 * Restores the copies into a new folder, as described in operators.md, and continues there. Returns what the
 * copy contains.
 */
export async function restore({ environment, folder }: World, file: string, name: string): Promise<Known> {
  const before = environment.DATA_DIR;
  const restored = join(folder, name);
  await mkdir(restored);
  await cp(file, join(restored, 'service.db'));
  for (const kept of ['master.key', 'marketplace', 'blobs']) {
    await cp(join(before, kept), join(restored, kept), { recursive: true });
  }
  const known = readKnown(file);
  environment.DATA_DIR = restored;
  await rm(before, { recursive: true });
  await rm(file);
  return known;
}

function readKnown(file: string): Known {
  const copy = openAddon(file, { readonly: true });
  try {
    const list = (query: string) => new Set(copy.prepare<[], string>(query).pluck().all());
    return { titles: list('SELECT title FROM listings'), job_ids: list('SELECT job_id FROM jobs') };
  } finally {
    copy.close();
  }
}
