/**
 * Whether suites with more cases than fit into npm test run all of them: npm run test:nightly sets it, and
 * npm test runs a sample.
 */
export const IS_WHOLE = process.env['WHOLE'] === 'on';

/**
 * For cases that follow one path and need a process or more each: only the first ones, or all if suites run
 * in full.
 */
export function sample<Case>(cases: readonly Case[], count: number): Case[] {
  return IS_WHOLE ? [...cases] : cases.slice(0, count);
}
