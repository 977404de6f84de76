/**
 * Whether suites run all of their cases: npm run test:nightly sets it; other runs take a sample.
 */
export const IS_WHOLE = process.env['WHOLE'] === 'on';

/**
 * For cases that follow one path and need a process or more each: only the first ones, or all if suites run
 * in full.
 */
export function sample<Case>(cases: readonly Case[], count: number): Case[] {
  return IS_WHOLE ? [...cases] : cases.slice(0, count);
}
