import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Makes the README's pictures: `npm run screenshots`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/screenshots/screenshots.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
});
