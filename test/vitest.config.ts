import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { IS_WHOLE } from './whole.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // What needs a browser: npm run test:browser. What takes long: npm run test:long. What needs PostgreSQL: npm run test:postgres.
    exclude: ['**/*.browser.test.ts', '**/*.long.test.ts', 'test/postgres/**'],
    globalSetup: ['test/prepared_folder.setup.ts', 'test/postgres/not_run.setup.ts'],
    // So long only where something hangs, or on a machine that is busy with much else.
    testTimeout: IS_WHOLE ? 120_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // A process goes on to the next file with the modules it has: to import them anew for each took a third of the time. What a test
    // changes of its process, such as the environment or the clock, it sets back.
    isolate: false,
    // Many tests wait more than they compute: for child processes, for the limits of the sandbox.
    maxWorkers: 4,
  },
});
