import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_LIMITS, parseJsonText, type JsonValue } from '../../../src/core/operations/json_text.js';

const { levels, keys_per_object, values } = JSON_LIMITS;
const nest = (count: number, open: string, close: string) => `${open.repeat(count)}${close.repeat(count)}`;
const buildKeys = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
const buildList = (count: number) => `[${'1,'.repeat(count - 1)}1]`;

describe('JSON input', () => {
  it.each([
    ['as many levels as it may have', nest(levels, '[', ']')],
    ['as many keys', buildKeys(keys_per_object)],
    [
      'as many keys in each of several objects',
      `[${buildKeys(keys_per_object)},${buildKeys(keys_per_object)}]`,
    ],
    ['as many values', buildList(values - 1)],
    ['what looks like structure inside of strings', JSON.stringify(['{[:,'.repeat(values), '\\"{', 'a\\'])],
  ])('may have %s', (_name, text) => {
    expect(parseJsonText(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['a level more', nest(levels + 1, '[', ']'), 'more than 32 levels deep'],
    ['a key more', buildKeys(keys_per_object + 1), 'an object with more than 1,000 keys'],
    ['a key more, deep inside', `[[{"a":${buildKeys(keys_per_object + 1)}}]]`, 'more than 1,000 keys'],
    ['keys that are all one', `{${'"a":1,'.repeat(keys_per_object)}"a":1}`, 'more than 1,000 keys'],
    ['a value more', buildList(values), 'more than 50,000 values'],
    ['values in many objects', `[${'{"a":1},'.repeat(values / 2)}1]`, 'more than 50,000 values'],
  ])('may not have %s', (_name, text, problem) => {
    expect(() => parseJsonText(text)).toThrow(problem);
  });

  it.each([
    ['a key twice', '{"dry_run":true,"state":"active","dry_run":false}'],
    ['a key twice with the same value', '{"a":1,"a":1}'],
    ['a key twice, deep inside', '[{"a":[{"b":1,"c":{"b":2},"b":{}}]}]'],
    ['a key that is written in two ways', '{"a":1,"\\u0061":2}'],
  ])('may not have %s', (_name, text) => {
    expect(() => parseJsonText(text)).toThrow('the same key twice');
  });

  it('is parsed as by the parser, or refused by both', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...'{}[]:,"\\1a ') })), (text) => {
        expect(read(parseJsonText, text)).toEqual(read(JSON.parse as (from: string) => JsonValue, text));
      }),
      { numRuns: 3_000 },
    );
  });
});

/** Undefined for text that is not JSON, or is refused for another reason than its size. */
function read(parse: (text: string) => JsonValue, text: string): JsonValue | undefined {
  try {
    return /\\u|\0|\p{Surrogate}|__proto__/u.test(text) ? undefined : parse(text);
  } catch {
    return undefined;
  }
}
