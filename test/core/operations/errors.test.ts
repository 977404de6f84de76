import { describe, expect, it } from 'vitest';
import type { Issue, Fact } from '../../../schemas/issue.js';
import { ServiceError } from '../../../src/core/errors.js';
import { cleanForeign, quoteForeign } from '../../../src/core/text/foreign.js';
import { buildValidationError } from '../../../src/core/issues/issues.js';

describe('buildValidationError', () => {
  it('has a line for each problem, path first, each once', () => {
    const too_long: Issue = { code: 'text_too_long', at: 'tags[3]', params: { chars: 23, most: 20 } };
    const { message, code, status } = buildValidationError([
      too_long,
      { code: 'body_required', at: '', params: {} },
      too_long,
    ]);
    expect({ message, code, status }).toEqual({
      message: 'tags[3]: has 23 characters; at most 20 are allowed\nA JSON body is required.',
      code: 'VALIDATION_FAILED',
      status: 400,
    });
  });
  it('lets no key or value of a caller start a line, or reverse its direction', () => {
    const { message } = buildValidationError([
      {
        code: 'value_wrong',
        at: 'a\nshops[0].price: fine\r',
        params: { text: 'is "x\u2028y\u202e\u0000\ud800"' },
      },
      { code: 'value_wrong', at: 'b', params: { text: 'has 👩‍🍳 in it' } },
    ]);
    expect(message).toBe('a shops[0].price: fine : is "x y "\nb: has 👩‍🍳 in it');
  });
  it('stays readable for any input', () => {
    const issues = Array.from({ length: 300_000 }, (_, index): Issue => ({
      code: 'required',
      at: `shops[${index}]`,
      params: {},
    }));
    const lines = buildValidationError(issues).message.split('\n');
    expect(lines).toHaveLength(1_001);
    expect(lines.at(-1)).toBe('… and 299000 more');
    const [line = ''] = buildValidationError([
      { code: 'required', at: '🍵'.repeat(500_000), params: {} },
    ]).message.split('\n');
    expect([...line]).toHaveLength(2_001);
  });
});

describe('text of others in messages', () => {
  it('is cleaned, truncated by code points, and quoted', () => {
    expect(cleanForeign(` a\n\u202eb${'🍵'.repeat(100)}`, 5)).toBe('a b🍵🍵…');
    expect(cleanForeign('🍵'.repeat(5), 5)).toBe('🍵'.repeat(5));
    expect(quoteForeign('no')).toBe('"no"');
  });
});

const PROBLEM: Fact = { code: 'internal', params: {} };
const seconds = (retry_after_seconds?: number) =>
  new ServiceError(
    'RATE_LIMIT_SECOND',
    PROBLEM,
    retry_after_seconds === undefined ? {} : { retry_after_seconds },
  ).retry_after_seconds;

describe('ServiceError', () => {
  it('has no message of its own, only those of its issues', () => {
    // @ts-expect-error A sentence is not an issue of the catalog.
    expect(() => new ServiceError('INTERNAL', 'Something went wrong.')).toThrow(TypeError);
    expect(new ServiceError('INTERNAL', PROBLEM).message).toBe('Something went wrong inside the service.');
  });

  it('has whole seconds to wait on every 429, and elsewhere if a fault may be temporary', () => {
    expect([seconds(), seconds(0), seconds(0.2), seconds(1.2)]).toEqual([1, 1, 1, 2]);
    expect(new ServiceError('INTERNAL', PROBLEM).retry_after_seconds).toBeUndefined();
    expect(new ServiceError('INTERNAL', PROBLEM, { retry_after_seconds: 2.5 }).retry_after_seconds).toBe(3);
  });
});
