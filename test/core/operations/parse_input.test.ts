import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { formatPath, parseInput } from '../../../src/core/operations/parse_input.js';
import { buildPhysical, change, listProblems } from '../rules/sample.js';

/*
 * Typical for assistants: objects and lists as JSON text, numbers in quotation marks, unknown keys.
 */

const request = buildPhysical();
const asText = (path: string, value: unknown) => change(request, path, JSON.stringify(value));
const none = (type: string) => `must be ${type}, not a string`;
const broken = (type: string, noun = type) =>
  `${none(type)}; the JSON in the string is invalid or is not ${noun}`;

describe('objects and lists as JSON text', () => {
  it.each(['shops', 'listing', 'images', 'videos', 'personalization', 'category_attributes', 'variations'])(
    'are parsed for %s',
    (key) => {
      expect(listProblems(asText(key, request[key]))).toEqual([]);
    },
  );
  it('are parsed in each other, and for the whole body', () => {
    const { shops } = request;
    expect(
      listProblems(
        change(
          request,
          'shops',
          (shops as object[]).map((shop) => JSON.stringify(shop)),
        ),
      ),
    ).toEqual([]);
    expect(listProblems(JSON.stringify({ ...request, listing: JSON.stringify(request['listing']) }))).toEqual(
      [],
    );
  });
  it('are parsed where null is allowed', () => {
    expect(listProblems(asText('listing.tags', ['mug', 'tea']))).toEqual([]);
  });
  it('return their content, and leave text that only looks like JSON', () => {
    const schema = z.object({ list: z.array(z.number()), text: z.string() });
    const taken = { list: [1, 2], text: '[1,2]' };
    expect(parseInput(schema, { list: '[1,2]', text: '[1,2]' })).toEqual({
      ok: true,
      revived: taken,
      input: taken,
    });
  });
  it('are refused if they contain a text longer than any may be, even in an unknown key', () => {
    const long = 'a'.repeat(250_001);
    const message = 'has 250001 characters; at most 250000 are allowed';
    expect(listProblems(change(request, 'listing.title', long))).toEqual([`listing.title: ${message}`]);
    expect(listProblems(change(request, 'listing.extra', long))).toEqual([`listing.extra: ${message}`]);
    const { digital_files: _, ...rest } = request;
    expect(listProblems({ ...rest, listing: asText('listing.sku', long)['listing'] })).toEqual([
      'listing.sku: has 250003 characters; at most 250000 are allowed',
    ]);
  });
  const LISTING = 'an object with title, description, listing_type, taxonomy_id';
  it.each([
    ['text that is not JSON', 'a mug'],
    ['a text in a text', '"{}"'],
    ['null', 'null'],
    ['an empty text', ''],
  ])('are refused as text: %s', (_name, text) => {
    expect(listProblems(change(request, 'listing', text))).toEqual([`listing: ${none(LISTING)}`]);
  });
  it.each([
    ['a list for an object', '[1]'],
    ['JSON that is cut off', '{"title":'],
    ['a NUL', '{"title":"a\\u0000"}'],
    ['half of a surrogate pair', '{"title":"a\\ud83d"}'],
    ['a half in a key', '{"\\udc00":1}'],
    ['a prototype', '{"__proto__":{"title":"a"}}'],
    ['a prototype deeper down', '{"x":{"__proto__":{}}}'],
    ['more than 32 levels', `{"x":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['100,000 levels', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('are refused with the fix: %s', (_name, text) => {
    expect(listProblems(change(request, 'listing', text))).toEqual([
      `listing: ${broken(LISTING, 'an object')}`,
    ]);
  });
  it('may have 32 levels and whole surrogate pairs', () => {
    const listing = { ...(request['listing'] as object), description: '🍵', x: 1 };
    const deep = JSON.stringify(listing).replace('"x":1', `"x":${'['.repeat(31)}${']'.repeat(31)}`);
    expect(listProblems(change(request, 'listing', deep))).toEqual([]);
  });
});

describe('a wrong type', () => {
  it.each([
    ['shops[0].shop_id', '48213377', 'must be a number without quotation marks, not a string'],
    ['shops[0].shop_id', 'ClayAndOak', 'must be a number, not a string'],
    ['images[0]', 'https://a.example/1.jpg', none('an object with url')],
    ['listing.is_supply', '0', 'must be a boolean, not a string'],
    ['listing.price', '24.50', 'must be a number without quotation marks, not a string'],
    ['listing.is_supply', 'false', 'must be a boolean without quotation marks, not a string'],
    ['listing.quantity', 1.5, 'must be an integer, not float'],
    ['listing.title', null, 'must be a string, not null'],
    ['listing.title', ['a'], 'must be a string, not array'],
    ['listing.who_made', 7, 'must be one of i_did, someone_else, collective'],
    ['images', { url: 'https://a.example/1.jpg' }, 'must be an array, not object'],
    ['personalization', true, 'must be an object, not boolean'],
  ])('at %s is reported: %j', (path, value, message) => {
    const bare = change(request, 'variations', undefined);
    expect(listProblems(change(bare, path, value))).toEqual([`${path}: ${message}`]);
  });
  it.each([
    [[], 'must be an object, not array'],
    [5, 'must be an object, not number'],
    ['mug', none('an object with shops, listing')],
  ])('of the whole body is reported: %j', (body, message) => {
    expect(listProblems(body)).toEqual([`The request ${message}`]);
  });
  it('is not reported for an absent body, which counts as empty', () => {
    for (const body of [null, undefined, {}])
      expect(listProblems(body)).toEqual(['shops: is required', 'listing: is required']);
  });
  it('is reported despite keys with dots and brackets in them, which break no rule', () => {
    const attributes = { 'a.b': { value_ids: true }, 'c[0]': 5, 'shops[0].price': { values: 'x' } };
    expect(listProblems(change(request, 'category_attributes', attributes))).toEqual([
      'category_attributes.a.b.value_ids: must be an array, not boolean',
      'category_attributes.c[0]: must be an object, not number',
      `category_attributes.shops[0].price.values: ${none('an array')}`,
      'category_attributes.a.b: is not a property id; use the property ids that listing_schema returns',
      'category_attributes.shops[0].price: is not a property id; use the property ids that listing_schema returns',
    ]);
  });
});

describe('a list of absurd length', () => {
  it('is counted, but not checked', () => {
    const long = Array.from({ length: 10_001 }, () => ({}));
    expect(listProblems(change(request, 'shops', long))).toEqual([
      'shops: has 10001 entries, which is too many for any list',
    ]);
    const keys = Object.fromEntries(
      Array.from({ length: 10_001 }, (_, index) => [index + 1, { value_ids: [1] }]),
    );
    expect(listProblems(change(request, 'category_attributes', keys))).toEqual([
      'category_attributes: has 10001 entries, which is too many for any list',
    ]);
  });
});

describe('an object of absurd size', () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 1]));
  const refusal = 'has 1001 keys, including unknown ones; at most 1000 are allowed';
  it('is refused in one line, even if required fields are missing in it', () => {
    expect(listProblems(change(request, 'listing', many))).toEqual([`listing: ${refusal}`]);
    expect(listProblems(many)).toEqual([`The request ${refusal}`]);
    const { k0: _, ...fewer } = many;
    expect(listProblems({ ...request, personalization: fewer })).toEqual([]);
  });
});

describe('unknown keys', () => {
  it('are allowed everywhere, with any content', () => {
    const unknown = { constructor: 1, toString: null, 'a.b[0]': [[]], '': {}, クーポン: '🍵' };
    const body = {
      ...request,
      ...unknown,
      listing: { ...(request['listing'] as object), ...unknown },
      personalization: unknown,
    };
    expect(listProblems(body)).toEqual([]);
  });
});

describe('null', () => {
  const schema = z.object({
    name: z.string(),
    word: z.string().optional(),
    limit: z.number().default(5),
    either: z.string().nullish(),
    inner: z.object({ word: z.string().optional() }).optional(),
    list: z.array(z.object({ word: z.string().optional() })).optional(),
    by_key: z.record(z.number()).optional(),
  });
  const parse = (input: object) => parseInput(schema, input);

  it('counts as omitted if a field is optional, at every depth, and stays if it has a meaning', () => {
    const input = {
      name: 'a',
      word: null,
      limit: null,
      either: null,
      inner: { word: null },
      list: [{ word: null }, { word: 'b' }],
      by_key: { one: 1, two: null },
    };
    expect(parse(input)).toMatchObject({
      ok: true,
      input: { name: 'a', limit: 5, either: null, inner: {}, list: [{}, { word: 'b' }], by_key: { one: 1 } },
    });
    expect(parse({ name: 'a', inner: null, list: null, by_key: null })).toMatchObject({
      ok: true,
      input: { name: 'a', limit: 5 },
    });
  });
  it('is refused if a value is required, and inside of a list', () => {
    expect(parse({ name: null, list: [null] })).toMatchObject({
      ok: false,
      issues: [
        { code: 'type_wrong', at: 'name', params: { expected: 'string', received: 'null' } },
        { code: 'type_wrong', at: 'list[0]', params: { expected: 'object', received: 'null' } },
      ],
    });
  });
});

describe('formatPath', () => {
  it('writes a path as a caller would', () => {
    expect(formatPath(['shops', 0, 'shop_id'])).toBe('shops[0].shop_id');
    expect(formatPath([])).toBe('');
  });
});
