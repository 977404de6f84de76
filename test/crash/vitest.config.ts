import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The full run of the crash tests. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/crash/{crash,webhooks.long,order_events.long}.test.ts'],
    env: { CRASH: 'full' },
    reporters: ['default', fileURLToPath(new URL('last_line.ts', import.meta.url))],
  },
});
