/* oxlint-disable no-console -- a command tells */
/*
 * The crash tests on one engine: npm run test:crash -- [--engine sqlite|postgres] [--long]. On PostgreSQL,
 * three instances run on a server and a bucket that the tests start themselves: for some minutes, or with
 * --long through every kind of call and many rounds of all troubles. Other arguments are passed to vitest.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const CONFIGS = { sqlite: 'vitest.config.ts', postgres: 'instances/vitest.config.ts' };

const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { engine: { type: 'string', default: 'sqlite' }, long: { type: 'boolean', default: false } },
});
const config = CONFIGS[values.engine];
if (config === undefined || (values.long && values.engine === 'sqlite')) {
  console.error('--engine is sqlite, which has one length, or postgres, which has --long.');
  process.exit(2);
}
const own = new Set(
  tokens.flatMap(({ kind, name, index, inlineValue }) => {
    if (kind !== 'option' || (name !== 'engine' && name !== 'long')) return [];
    return name === 'engine' && !inlineValue ? [index, index + 1] : [index];
  }),
);
const rest = process.argv.slice(2).filter((_, index) => !own.has(index));
const vitest = join(import.meta.dirname, '..', '..', 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', join(import.meta.dirname, config), ...rest],
  { stdio: 'inherit', env: { ...process.env, ...(values.long && { CRASH: 'full' }) } },
);
process.exitCode = status ?? 1;
