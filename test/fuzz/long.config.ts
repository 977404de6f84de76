import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The long run: many bodies, and tests too slow for every day (files named .long.ts). */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/fuzz/*.test.ts', 'test/fuzz/*.long.ts'],
    env: { FUZZ_BODIES: process.env['FUZZ_BODIES'] ?? '100000' },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
