/**
 * Whether a suite that has more cases than fit into npm test runs all of them: npm run test:long sets it for those that its config
 * names, and npm test runs a sample.
 */
export const IS_WHOLE = process.env['WHOLE'] === 'on';
