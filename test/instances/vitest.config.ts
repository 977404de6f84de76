import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Callers over three instances of the built program, on PostgreSQL and a bucket: npm run test:instances. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/instances/*.instances.ts'],
    globalSetup: fileURLToPath(new URL('../crash/instances/setup.ts', import.meta.url)),
    reporters: ['default', fileURLToPath(new URL('last_line.ts', import.meta.url))],
  },
});
