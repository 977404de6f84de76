import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests that run on SQLite as a matter of course, on PostgreSQL. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/{store,core,surfaces,e2e,webhooks,postgres}/**/*.test.ts'],
    exclude: [
      '**/*.long.test.ts',
      // SQLite's own: its files, what it prepares and how it looks it up, and the key of a folder.
      'test/store/engine/**',
      'test/store/{frozen,statements}.test.ts',
      'test/store/secrets/rotate_master_key.test.ts',
    ],
    globalSetup: ['test/prepared_folder.setup.ts', 'test/postgres/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
  },
});
