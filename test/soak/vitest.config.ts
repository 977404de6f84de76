import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The long run: ten minutes, or SOAK_SECONDS. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/soak/soak.long.test.ts'],
    env: { SOAK_SECONDS: process.env['SOAK_SECONDS'] ?? '600' },
  },
});
