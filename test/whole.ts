/**
 * Whether suites that have more cases than fit into npm test run all of them: npm run test:nightly sets it, and npm test runs a sample.
 */
export const IS_WHOLE = process.env['WHOLE'] === 'on';

/** Of cases that take one way, and each a process or more, the first so many; all where suites run whole. */
export function sample<Case>(cases: readonly Case[], count: number): Case[] {
  return IS_WHOLE ? [...cases] : cases.slice(0, count);
}
