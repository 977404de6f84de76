/**
 * Whether a suite that has more cases than fit into npm test runs all of them: npm run test:long sets it for those that its config
 * names, and npm test runs a sample.
 */
export const IS_WHOLE = process.env['WHOLE'] === 'on';

/** Of cases that take one way, and each a process or more, the first so many; all where suites run whole. */
export function sample<Case>(cases: readonly Case[], count: number): Case[] {
  return IS_WHOLE ? [...cases] : cases.slice(0, count);
}
