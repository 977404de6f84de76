import { access, cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import { openAddon } from '../src/sqlite.js';
import { copyDatabase, getDatabase } from './postgres/world.js';

/** The settings that the first start on a folder writes into it. */
const KEPT_BY_FOLDER = ['MARKETPLACE', 'MASTER_KEY', 'SANDBOX_RATE', 'SANDBOX_LATENCY_MS'];

let prepared: Promise<string> | undefined;

/**
 * A new data directory. If the run has a place to prepare one, it is in the state that the first start leaves
 * once the sandbox's shops are connected: that start, which makes two databases and their worlds, runs once
 * per process, because a copy takes a fraction of the time.
 */
export async function makeFolder(environment: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listing-service-'));
  const prepared_dir = inject('prepared_dir');
  if (prepared_dir !== undefined && !KEPT_BY_FOLDER.some((name) => name in environment)) {
    prepared ??= prepare(prepared_dir);
    await cp(await prepared, folder, { recursive: true });
    await copyDatabase(await prepared, folder);
  }
  return folder;
}

async function prepare(prepared_dir: string): Promise<string> {
  const folder = await mkdtemp(join(prepared_dir, 'process-'));
  const environment = { DATA_DIR: folder, LOG_LEVEL: 'silent', SANDBOX_RATE: '10000' };
  const database = { DATABASE_URL: await getDatabase(folder) };
  const app = await compose(loadConfig({}, { ...environment, ...database }), { is_http: false });
  await app.prepareShops();
  await app.close();
  // prepareShops never throws.
  await access(join(folder, 'sandbox-connected'));
  forgetAddress(join(folder, 'sandbox.db'));
  return folder;
}

/** Each copy is a separate folder to the sandbox, with its own address. */
function forgetAddress(database_file: string): void {
  const db = openAddon(database_file);
  db.exec("DELETE FROM meta WHERE name IN ('folder', 'port')");
  db.close();
}
