import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { formatPath, parseInput } from '../../../src/core/operations/parse_input.js';
import { listFields, unwrap } from '../../../src/core/operations/schema_parts.js';
import { operations } from '../../../tools/index.js';

/*
 * Ids, counts and days of every operation: a number that JSON does not hold exactly is refused at its path.
 */

type Path = readonly (string | number)[];

/** The places where the schema has integers; an entry of a list is 0, and of a record `7`. */
function listIntegers(schema: z.ZodTypeAny, at: Path = []): Path[] {
  const wanted = unwrap(schema);
  if (wanted instanceof z.ZodNumber) return wanted.isInt ? [at] : [];
  if (wanted instanceof z.ZodArray) return listIntegers(wanted.element as z.ZodTypeAny, [...at, 0]);
  if (wanted instanceof z.ZodRecord) return listIntegers(wanted.valueSchema as z.ZodTypeAny, [...at, '7']);
  return Object.entries(listFields(wanted) ?? {}).flatMap(([key, field]) =>
    listIntegers(field, [...at, key]),
  );
}

/** An input with only this value at its place. */
function build(path: Path, value: number): unknown {
  return path.reduceRight<unknown>((inner, part) => (part === 0 ? [inner] : { [part]: inner }), value);
}

const rows = operations.flatMap(({ id, input }) =>
  listIntegers(input).map((path) => ({ id, input, path, name: formatPath(path) })),
);

describe('an integer that JSON does not hold exactly', () => {
  it('is also checked in the ids of listings, shops and deliveries', () => {
    const names = rows.map(({ id, name }) => `${id} ${name}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'listing_import listing_ids[0]',
        'listing_publish stock',
        'listing_update changes.variations.variation_images.mapping.7',
        'store_listings shop_id',
        'webhook_delivery_retry delivery_id',
      ]),
    );
  });

  it.each(rows)('is refused by $id at $name', ({ input, path, name }) => {
    for (const value of [1e300, -1e300, 2 ** 53]) {
      const parsed = parseInput(input, build(path, value));
      const found = parsed.ok ? [] : parsed.issues.filter((issue) => issue.at === name);
      expect(found.map(({ code }) => code)).toEqual([
        expect.stringMatching(/^(integer_inexact|size_wrong)$/),
      ]);
    }
    const kept = parseInput(input, build(path, 1));
    expect(kept.ok ? [] : kept.issues.filter((issue) => issue.at === name)).toEqual([]);
  });
});
