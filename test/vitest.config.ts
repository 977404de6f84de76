import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { IS_WHOLE } from './whole.js';
import { countWorkers } from './workers.js';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // Tests that need a browser: npm run test:browser. Slow tests: npm run test:long. Tests that need
    // PostgreSQL: npm run test:postgres.
    exclude: ['**/*.browser.test.ts', '**/*.long.test.ts', 'test/postgres/**'],
    globalSetup: ['test/prepared_folder.setup.ts', 'test/postgres/not_run.setup.ts'],
    // This long only if something hangs, or on a very busy machine.
    testTimeout: IS_WHOLE ? 120_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // A process keeps its modules for the next file: importing them again for each took a third of the time.
    // A test undoes its changes to the process, such as the environment or the clock.
    isolate: false,
    maxWorkers: countWorkers(6),
  },
});
