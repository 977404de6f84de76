import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Whole ways through many processes of the built program: too slow for every change (files named .long.test.ts). */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.long.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 3,
  },
});
