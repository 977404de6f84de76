import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { countWorkers } from './workers.js';

/**
 * End-to-end runs through many processes of the built program, and limits of photos, too slow for every change
 * (files named .long.test.ts), and short runs of the crash, eval and hardening tests. test:fuzz and test:soak
 * have short runs of their own.
 */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.long.test.ts'],
    exclude: ['test/{fuzz,soak}/**'],
    globalSetup: ['test/prepared_folder.setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // As in npm test: importing the modules again for each file took a quarter of the time.
    isolate: false,
    maxWorkers: countWorkers(5),
  },
});
