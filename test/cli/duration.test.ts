import { expect, it } from 'vitest';
import { parseDuration } from '../../src/cli/identity.js';

it.each([
  ['90m', 90 * 60_000],
  ['12h', 12 * 60 * 60_000],
  ['3650d', 3_650 * 24 * 60 * 60_000],
])('the duration %s is parsed', (text, duration_ms) => {
  expect(parseDuration(text, '--expires-in')).toBe(duration_ms);
});

it.each(['30', '0d', '4000d', 'd', '-1d', '1d ', '1w'])('the duration %j is refused', (text) => {
  expect(() => parseDuration(text, '--expires-in')).toThrow(
    `--expires-in must be minutes, hours or days, such as 90m, 12h or 30d, up to 3650d; not ${text}.`,
  );
});
