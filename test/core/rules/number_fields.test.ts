import { describe, expect, it } from 'vitest';
import { roundPrice } from '../../../src/core/listings/rules/money.js';
import { buildPhysical, change, listProblems } from './sample.js';

/*
 * Numbers, choices and switches, at their limits from both sides.
 */

type Row = {
  field: string;
  path: string;
  good: readonly unknown[];
  bad: readonly (readonly [value: unknown, message: string])[];
};

const ID_BAD = [
  [0, 'is 0; must be 1 or more'],
  [-1, 'is -1; must be 1 or more'],
  [1.5, 'must be an integer, not float'],
  ['7', 'must be a number without quotation marks, not a string'],
  [true, 'must be a number, not boolean'],
  [2 ** 53, 'is 9007199254740992, which is too large for an id or a count'],
  [1e300, 'is 1e+300, which is too large for an id or a count'],
] as const;
const IDS = [1, 46803063659, Number.MAX_SAFE_INTEGER];

const PRICE_GOOD = [0.2, 0.21, 1, 24.5, 999_999_999.99, 1_000_000_000, 0.1 + 0.2, 0.3 - 0.1, 1.1 * 3, 19.99];
const PRICE_BAD = [
  [0.19, 'is 0.19; must be at least 0.20'],
  [0, 'is 0; must be at least 0.20'],
  [-5, 'is -5; must be at least 0.20'],
  [0.199, 'is 0.199; must be at least 0.20\nis 0.199; at most two decimal places are allowed'],
  [24.555, 'is 24.555; at most two decimal places are allowed'],
  [0.300000001, 'is 0.300000001; at most two decimal places are allowed'],
  [1_000_000_000.01, 'is 1000000000.01; must be at most 1000000000'],
  [Infinity, 'is Infinity; must be at most 1000000000'],
  [Number.NaN, 'must be a number'],
  ['24.50', 'must be a number without quotation marks, not a string'],
  ['$24', 'must be a number, not a string'],
] as const;

const MEASURE = {
  good: [0.001, 1, 2.75, 1e9, null, undefined],
  bad: [
    [0, 'is 0; must be greater than 0'],
    [-0.1, 'is -0.1; must be greater than 0'],
    [Infinity, 'is Infinity; must be at most 1000000000'],
    ['1 kg', 'must be a number, not a string'],
  ],
} as const;

const SWITCH = {
  good: [true, false, undefined],
  bad: [
    ['true', 'must be a boolean without quotation marks, not a string'],
    [1, 'must be a boolean, not number'],
  ],
} as const;

const MISSING = 'is required for a physical listing; store_sync returns the ids';

const WHEN =
  'must be one of made_to_order, 2020_2026, 2010_2019, 2007_2009, before_2007, 2000_2006, 1990s, 1980s, 1970s, 1960s, 1950s, 1940s, 1930s, 1920s, 1910s, 1900s, 1800s, 1700s, before_1700';

const ROWS: readonly Row[] = [
  {
    field: 'state',
    path: 'state',
    good: ['draft', 'publish', 'active', null, undefined],
    bad: [
      ['Draft', 'must be one of draft, publish, active'],
      ['live', 'must be one of draft, publish, active'],
      [1, 'must be one of draft, publish, active'],
    ],
  },
  {
    field: 'shops[].shop_id',
    path: 'shops[0].shop_id',
    good: IDS,
    bad: [...ID_BAD, [undefined, 'is required']],
  },
  { field: 'shops[].price', path: 'shops[0].price', good: [...PRICE_GOOD, undefined], bad: PRICE_BAD },
  {
    field: 'shops[].shipping_profile_id',
    path: 'shops[0].shipping_profile_id',
    good: IDS,
    bad: [...ID_BAD, [null, MISSING], [undefined, MISSING]],
  },
  {
    field: 'shops[].return_policy_id',
    path: 'shops[0].return_policy_id',
    good: IDS,
    bad: [...ID_BAD, [null, MISSING], [undefined, MISSING]],
  },
  {
    field: 'shops[].processing_profile_id',
    path: 'shops[0].processing_profile_id',
    good: [...IDS, null, undefined],
    bad: ID_BAD,
  },
  {
    field: 'shops[].shop_section_id',
    path: 'shops[0].shop_section_id',
    good: [...IDS, null, undefined],
    bad: ID_BAD,
  },
  {
    field: 'shops[].production_partner_ids',
    path: 'shops[0].production_partner_ids[0]',
    good: IDS,
    bad: ID_BAD,
  },
  {
    field: 'shops[].production_partner_ids',
    path: 'shops[0].production_partner_ids',
    good: [[], [1, 2, 3], undefined],
    bad: [[7, 'must be an array, not number']],
  },
  {
    field: 'listing.listing_type',
    path: 'listing.listing_type',
    good: ['physical'],
    bad: [
      ['download', 'must be one of physical, digital'],
      ['Physical', 'must be one of physical, digital'],
      [undefined, 'is required'],
    ],
  },
  {
    field: 'listing.taxonomy_id',
    path: 'listing.taxonomy_id',
    good: IDS,
    bad: [...ID_BAD, [undefined, 'is required']],
  },
  { field: 'listing.price', path: 'listing.price', good: PRICE_GOOD, bad: PRICE_BAD },
  {
    field: 'listing.quantity',
    path: 'listing.quantity',
    good: [1, 999],
    bad: [
      [0, 'is 0; must be from 1 to 999'],
      [1000, 'is 1000; must be from 1 to 999'],
      [1.5, 'must be an integer, not float'],
      ['4', 'must be a number without quotation marks, not a string'],
    ],
  },
  {
    field: 'listing.who_made',
    path: 'listing.who_made',
    good: ['i_did', 'someone_else', 'collective'],
    bad: [
      ['me', 'must be one of i_did, someone_else, collective'],
      [undefined, 'is missing; send who_made, when_made, and is_supply together, or none of them'],
    ],
  },
  {
    field: 'listing.when_made',
    path: 'listing.when_made',
    good: ['made_to_order', '2020_2026', '1990s', 'before_1700'],
    bad: [
      ['2021_2026', `is "2021_2026"; ${WHEN}`],
      ['٢٠٢٠', `is "٢٠٢٠"; ${WHEN}`],
      [undefined, 'is missing; send who_made, when_made, and is_supply together, or none of them'],
    ],
  },
  {
    field: 'listing.is_supply',
    path: 'listing.is_supply',
    good: [true, false],
    bad: [
      ...SWITCH.bad,
      [undefined, 'is missing; send who_made, when_made, and is_supply together, or none of them'],
    ],
  },
  { field: 'listing.is_customizable', path: 'listing.is_customizable', ...SWITCH },
  { field: 'listing.is_taxable', path: 'listing.is_taxable', ...SWITCH },
  { field: 'listing.should_auto_renew', path: 'listing.should_auto_renew', ...SWITCH },
  { field: 'listing.item_weight', path: 'listing.item_weight', ...MEASURE },
  { field: 'listing.item_length', path: 'listing.item_length', ...MEASURE },
  { field: 'listing.item_width', path: 'listing.item_width', ...MEASURE },
  { field: 'listing.item_height', path: 'listing.item_height', ...MEASURE },
  {
    field: 'listing.item_weight_unit',
    path: 'listing.item_weight_unit',
    good: ['oz', 'lb', 'g', 'kg', null, undefined],
    bad: [['grams', 'is "grams"; must be one of oz, lb, g, kg']],
  },
  {
    field: 'listing.item_dimensions_unit',
    path: 'listing.item_dimensions_unit',
    good: ['in', 'ft', 'mm', 'cm', 'm', 'yd', 'inches', null, undefined],
    bad: [['CM', 'is "CM"; must be one of in, ft, mm, cm, m, yd, inches']],
  },
  {
    field: 'listing.processing_min',
    path: 'listing.processing_min',
    good: [1, 3, null, undefined],
    bad: [
      [0, 'is 0; must be 1 or more'],
      [4, 'is 4, which is more than processing_max (3)'],
      ['1', 'must be a number without quotation marks, not a string'],
    ],
  },
  {
    field: 'listing.processing_max',
    path: 'listing.processing_max',
    good: [1, 10, null, undefined],
    bad: [
      [1.5, 'must be an integer, not float'],
      ['3 days', 'must be a number, not a string'],
    ],
  },
  {
    field: 'images[].rank',
    path: 'images[0].rank',
    good: [1, 10, undefined],
    bad: [
      [0, 'is 0; must be from 1 to 10'],
      [11, 'is 11; must be from 1 to 10'],
      ['1', 'must be a number without quotation marks, not a string'],
    ],
  },
  { field: 'personalization.enabled', path: 'personalization.enabled', ...SWITCH },
  { field: 'personalization.is_required', path: 'personalization.is_required', ...SWITCH },
  {
    field: 'personalization.max_chars',
    path: 'personalization.max_chars',
    good: [1, 1024, undefined],
    bad: [
      [0, 'is 0; must be from 1 to 1024'],
      [1025, 'is 1025; must be from 1 to 1024'],
    ],
  },
  {
    field: 'variations.properties[].property_id',
    path: 'variations.properties[0].property_id',
    good: IDS,
    bad: [...ID_BAD, [undefined, 'is required']],
  },
  {
    field: 'variations.properties[].scale_id',
    path: 'variations.properties[0].scale_id',
    good: [1, undefined],
    bad: ID_BAD,
  },
  {
    field: 'variations.offerings[].price',
    path: 'variations.offerings[0].price',
    good: [...PRICE_GOOD, undefined],
    bad: PRICE_BAD,
  },
  {
    field: 'variations.offerings[].quantity',
    path: 'variations.offerings[0].quantity',
    good: [0, 999, undefined],
    bad: [
      [-1, 'is -1; must be from 0 to 999'],
      [1000, 'is 1000; must be from 0 to 999'],
    ],
  },
  { field: 'variations.offerings[].enabled', path: 'variations.offerings[0].enabled', ...SWITCH },
  {
    field: 'variations.offerings[].processing_profile_id',
    path: 'variations.offerings[0].processing_profile_id',
    good: [...IDS, undefined],
    bad: ID_BAD,
  },
];

function show(value: unknown): string {
  return typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value);
}

describe.each(ROWS.map((row) => [row.field, row] as const))('%s', (_field, { path, good, bad }) => {
  it.each(good.map((value) => [show(value), value] as const))('accepts %s', (_name, value) => {
    expect(listProblems(change(buildPhysical(), path, value))).toEqual([]);
  });
  it.each(bad.map(([value, message]) => [show(value), value, message] as const))(
    'refuses %s',
    (_name, value, message) => {
      const lines = message.split('\n').map((line) => `${path}: ${line}`);
      expect(listProblems(change(buildPhysical(), path, value))).toEqual(lines);
    },
  );
});

describe('listing.processing_min, listing.processing_max', () => {
  it('are each optional', () => {
    for (const field of ['listing.processing_min', 'listing.processing_max']) {
      expect(listProblems(change(buildPhysical(), field, undefined))).toEqual([]);
    }
  });
});

describe('roundPrice', () => {
  it('removes floating-point error', () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(roundPrice(0.1 + 0.2, 'USD')).toBe(0.3);
    expect(roundPrice(0.3 - 0.1, 'EUR')).toBe(0.2);
    expect(roundPrice(1.1 * 3, 'GBP')).toBe(3.3);
    expect(roundPrice(1200, 'JPY')).toBe(1200);
  });
});
