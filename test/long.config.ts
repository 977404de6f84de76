import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Of these, npm test runs a sample: here they run whole. */
const SAMPLED = [
  'test/cli/commands.test.ts',
  'test/cli/setup.test.ts',
  'test/core/listings/import/import_crash.test.ts',
  'test/core/listings/model/model.test.ts',
  'test/core/orders/histories.test.ts',
  'test/surfaces/every_face.test.ts',
];

/** Whole ways through many processes of the built program: too slow for every change (files named .long.test.ts). */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.long.test.ts', ...SAMPLED],
    env: { WHOLE: 'on' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 3,
  },
});
