import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The crash tests of several instances on PostgreSQL and a bucket; CRASH=full for the long form. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: ['test/crash/instances/*.crash.ts'],
    globalSetup: fileURLToPath(new URL('setup.ts', import.meta.url)),
    reporters: ['default', fileURLToPath(new URL('../last_line.ts', import.meta.url))],
  },
});
