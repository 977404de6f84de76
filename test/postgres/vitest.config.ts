import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { countWorkers } from '../workers.js';

/** All tests that open a store or a service through the shared setup; they take a quarter of an hour. */
const ALL = ['test/{store,core,surfaces,e2e,webhooks,transports,dashboard,compose,postgres}/**/*.test.ts'];

/**
 * The store, and one path through each part of the service: publishing, updating, copying, importing,
 * webhooks, OAuth, limits, signing in and connecting, page jobs, roles.
 */
const SECTION = [
  'test/{store,postgres}/**/*.test.ts',
  'test/core/batches/{batches,finished,sheet,sheet_files}.test.ts',
  'test/core/listings/publish/{publish,calls,sale}.test.ts',
  'test/core/listings/update/{update,undo,taken_up}.test.ts',
  'test/core/listings/jobs/{jobs,cancel,cut_off,stopping}.test.ts',
  'test/core/listings/{copy/copy,import/import,spending,forget}.test.ts',
  'test/core/identity/**/*.test.ts',
  'test/core/operations/*.test.ts',
  'test/core/shops/{connecting,connecting_application,shops}.test.ts',
  'test/core/uploads/uploads.test.ts',
  'test/core/webhooks/**/*.test.ts',
  'test/webhooks/**/*.test.ts',
  'test/e2e/{consent,counted_calls,confirmation}.test.ts',
  'test/transports/{auth,connect,oauth,several_instances,stopping,uploads}.test.ts',
  'test/transports/mcp/{http,questions,stateless}.test.ts',
  'test/dashboard/{sign_in,tasks}.test.ts',
  'test/compose/roles.test.ts',
  'test/surfaces/{access/bearer_tokens,undo}.test.ts',
];

/**
 * Runs tests on PostgreSQL that usually run on SQLite: npm run test:postgres; with TEST_POSTGRES=all, all of
 * them. Tests of SQLite's own files are excluded.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: process.env['TEST_POSTGRES'] === 'all' ? ALL : SECTION,
    exclude: [
      '**/*.long.test.ts',
      // Specific to SQLite: its files, its prepared statements and query plans, and the key of a folder.
      'test/store/engine/**',
      'test/store/statements.test.ts',
      'test/store/secrets/rotate_master_key.test.ts',
      // Backups of a folder, and files that are locked or read from outside.
      'test/compose/backup/**',
      'test/core/listings/publish/{restore,ends}.test.ts',
      'test/core/preflight/media.test.ts',
      // On SQLite a killed process is known to be gone at once; on a server, only when its presence has
      // expired.
      'test/core/listings/import/import_crash.test.ts',
      'test/surfaces/{bucket,full_disk,unsaved_tokens}.test.ts',
      'test/surfaces/access/two_accounts.test.ts',
    ],
    globalSetup: ['test/prepared_folder.setup.ts', 'test/postgres/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    isolate: false,
    maxWorkers: countWorkers(process.env['TEST_DATABASE_URL'] ? 4 : 6),
  },
});
