import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Tests in a real browser, one after another: each starts the built program and a separate browser. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/**/*.browser.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    isolate: false,
    fileParallelism: false,
  },
});
