import { describe, expect, it } from 'vitest';
import { buildValidationError, cleanForeign, quoteForeign, ServiceError } from '../../../src/core/errors.js';

describe('buildValidationError', () => {
  it('has a line for each problem, path first, each once', () => {
    const { message, code, status } = buildValidationError([
      { path: 'tags[3]', message: 'has 23 characters; at most 20' },
      { path: '', message: 'The body is wrong.' },
      { path: 'tags[3]', message: 'has 23 characters; at most 20' },
    ]);
    expect({ message, code, status }).toEqual({
      message: 'tags[3]: has 23 characters; at most 20\nThe body is wrong.',
      code: 'VALIDATION_FAILED',
      status: 400,
    });
  });
  it('lets no key and no value of a caller begin a line, or turn its direction', () => {
    const { message } = buildValidationError([
      { path: 'a\nshops[0].price: fine\r', message: 'is "x\u2028y\u202e\u0000\ud800"' },
      { path: 'b', message: 'has 👩‍🍳 in it' },
    ]);
    expect(message).toBe('a shops[0].price: fine : is "x y "\nb: has 👩‍🍳 in it');
  });
  it('stays readable for any input', () => {
    const issues = Array.from({ length: 300_000 }, (_, index) => ({
      path: `shops[${index}]`,
      message: 'is wrong',
    }));
    const lines = buildValidationError(issues).message.split('\n');
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toBe('… and 299000 more');
    const [line = ''] = buildValidationError([
      { path: '🍵'.repeat(500_000), message: 'is wrong' },
    ]).message.split('\n');
    expect([...line]).toHaveLength(2_001);
  });
});

describe('foreign words', () => {
  it('are cleaned, cut by code points and quoted', () => {
    expect(cleanForeign(` a\n\u202eb${'🍵'.repeat(100)}`, 5)).toBe('a b🍵🍵…');
    expect(cleanForeign('🍵'.repeat(5), 5)).toBe('🍵'.repeat(5));
    expect(quoteForeign('no')).toBe('"no"');
  });
});

const seconds = (retry_after_seconds?: number) =>
  new ServiceError('RATE_LIMIT_SECOND', 'x', retry_after_seconds === undefined ? {} : { retry_after_seconds })
    .retry_after_seconds;

describe('ServiceError', () => {
  it('has whole seconds to wait on every 429, and elsewhere where a fault may mend by itself', () => {
    expect([seconds(), seconds(0), seconds(0.2), seconds(1.2)]).toEqual([1, 1, 1, 2]);
    expect(new ServiceError('INTERNAL', 'x').retry_after_seconds).toBeUndefined();
    expect(new ServiceError('INTERNAL', 'x', { retry_after_seconds: 2.5 }).retry_after_seconds).toBe(3);
  });
});
