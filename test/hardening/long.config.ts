import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The long run: as many connections as a system usually allows, for longer. Prints its measurements. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/hardening/*.test.ts'],
    env: { HARDENING_CONNECTIONS: process.env['HARDENING_CONNECTIONS'] ?? '10000' },
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: 'forks',
    fileParallelism: false,
  },
});
