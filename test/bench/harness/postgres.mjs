import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BUNDLED = join(ROOT, '.build', 'bench', 'server.mjs');

/** As a server is set up for use: commits wait for the disk, and a fair part of the memory is its cache. */
const SETTINGS = ['fsync = on', 'shared_buffers = 512MB', 'max_wal_size = 4GB'];

/**
 * A PostgreSQL server of this computer, as the tests start one; undefined where none is installed.
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
