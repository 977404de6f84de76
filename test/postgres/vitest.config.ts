import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** All that makes a store or a service through the shared set-up, which takes a quarter of an hour. */
const ALL = ['test/{store,core,surfaces,e2e,webhooks,transports,dashboard,compose,postgres}/**/*.test.ts'];

/**
 * The store, and a way through each part of the service: publishing, changing, copying, importing, webhooks, OAuth, limits, signing in and
 * connecting, the work of pages, roles.
 */
const SECTION = [
  'test/{store,postgres}/**/*.test.ts',
  'test/core/batches/{batches,finished,sheet,sheet_files}.test.ts',
  'test/core/listings/publish/{publish,calls,sale}.test.ts',
  'test/core/listings/update/{update,undo,taken_up}.test.ts',
  'test/core/listings/jobs/{jobs,cut_off,stopping}.test.ts',
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
 * Tests that run on SQLite as a matter of course, on PostgreSQL: npm run test:postgres, with TEST_POSTGRES=all for all of them. Those of
 * SQLite's files alone are left out.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: process.env['TEST_POSTGRES'] === 'all' ? ALL : SECTION,
    exclude: [
      '**/*.long.test.ts',
      // SQLite's own: its files, what it prepares and how it looks it up, and the key of a folder.
      'test/store/engine/**',
      'test/store/statements.test.ts',
      'test/store/secrets/rotate_master_key.test.ts',
      // Backups of a folder, and a file that is locked or read from outside.
      'test/compose/backup/**',
      'test/core/listings/publish/{restore,ends}.test.ts',
      'test/core/preflight/media.test.ts',
      // A process that was killed is known to be gone at once, on a server when its presence has run out.
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
    // They wait for the server most of the time.
    maxWorkers: 4,
  },
});
