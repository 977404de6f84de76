import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    // They need a browser and the built program: npm run test:browser.
    exclude: ['**/*.browser.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Many tests wait more than they compute: for child processes, for the limits of the sandbox.
    maxWorkers: 3,
  },
});
