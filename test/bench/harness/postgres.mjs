import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUNDLED = join(ROOT, '.build', 'bench', 'server.mjs');

/** As a production server is set up: commits wait for the disk, and a fair share of the memory is its cache. */
const SETTINGS = ['fsync = on', 'shared_buffers = 512MB', 'max_wal_size = 4GB'];

/**
 * A PostgreSQL server on this computer, started as the tests do; undefined if none is installed.
 *
 * @returns {Promise<{ url: string, remove: () => Promise<void> } | undefined>}
 */
export async function startPostgres() {
  await build({
    input: join(ROOT, 'test', 'postgres', 'server.ts'),
    platform: 'node',
    external: ['pg'],
    logLevel: 'silent',
    output: { file: BUNDLED },
  });
  const { findPrograms, startServer } = await import(pathToFileURL(BUNDLED).href);
  const programs = findPrograms();
  return programs && startServer(programs, SETTINGS);
}
