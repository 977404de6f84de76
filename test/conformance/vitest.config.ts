import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** What needs a newer Node than ours, borrowed for the length of the run. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/conformance/*.long.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
