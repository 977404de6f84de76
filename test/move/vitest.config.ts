import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A big installation that is moved there and back; MOVE_LISTINGS=100000 for the whole of it. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/move/*.move.ts'],
    globalSetup: fileURLToPath(new URL('../crash/instances/setup.ts', import.meta.url)),
    reporters: ['default', fileURLToPath(new URL('last_line.ts', import.meta.url))],
    // Each test goes on where the one before has left the installation.
    bail: 1,
    // The whole of it takes as long as it takes; only a hang passes this.
    testTimeout: 2 * 60 * 60_000,
    hookTimeout: 60 * 60_000,
  },
});
