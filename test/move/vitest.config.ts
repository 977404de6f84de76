import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A big installation that is moved to PostgreSQL and back; MOVE_LISTINGS=100000 for the full size. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/move/*.move.ts'],
    globalSetup: fileURLToPath(new URL('../crash/instances/setup.ts', import.meta.url)),
    reporters: ['default', fileURLToPath(new URL('last_line.ts', import.meta.url))],
    // Each test continues with the installation as the previous one left it.
    bail: 1,
    // The full size takes as long as it takes; only a hang exceeds this.
    testTimeout: 2 * 60 * 60_000,
    hookTimeout: 60 * 60_000,
  },
});
