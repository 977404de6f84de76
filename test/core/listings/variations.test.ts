import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Offering, Variations } from '../../../schemas/listing_request.js';
import { compileVariations } from '../../../src/core/listings/variations/compile.js';

const DEFAULTS = { price: 20, quantity: 5, readiness_state_id: 7 };

function compile(variations: Variations, defaults: Parameters<typeof compileVariations>[2] = DEFAULTS) {
  return compileVariations(variations, [], defaults);
}

const SIZE = { property_id: 100, name: 'Size', values: ['S', 'M', 'L'] };
const COLOR = { property_id: 200, name: 'Color', values: ['Red', 'Blue'] };

describe('compileVariations', () => {
  it('enables every combination at the listing price if no offering is given', () => {
    const { inventory, price, quantity, completed } = compile({ properties: [SIZE, COLOR] });
    expect(inventory.products).toHaveLength(6);
    expect(inventory.products[1]).toEqual({
      sku: '',
      property_values: [
        { property_id: 100, property_name: 'Size', scale_id: null, value_ids: [], values: ['S'] },
        { property_id: 200, property_name: 'Color', scale_id: null, value_ids: [], values: ['Blue'] },
      ],
      price: 20,
      quantity: 5,
      is_enabled: true,
      readiness_state_id: 7,
    });
    expect(inventory.price_on_property).toEqual([]);
    expect({ price, quantity, completed }).toEqual({ price: 20, quantity: 30, completed: 0 });
  });

  it('detects that price varies by one property, and completes omitted combinations on that axis, hidden', () => {
    const offerings = [
      { size: 'S', color: 'Red', price: 10, quantity: 1 },
      { size: 'S', color: 'Blue', price: 10, quantity: 1 },
      { size: 'M', color: 'Red', price: 12, quantity: 1 },
    ];
    const { inventory, completed, price, quantity } = compile({ properties: [SIZE, COLOR], offerings });
    expect(inventory.price_on_property).toEqual([100]);
    expect(inventory.quantity_on_property).toEqual([100, 200]);
    expect(completed).toBe(3);
    expect(
      inventory.products.map((product) => [product.price, product.quantity, product.is_enabled]),
    ).toEqual([
      [10, 1, true],
      [10, 1, true],
      [12, 1, true],
      [12, 0, false],
      [20, 0, false],
      [20, 0, false],
    ]);
    expect({ price, quantity }).toEqual({ price: 10, quantity: 3 });
  });

  it('sends the ids of values that the category knows, in the named scale', () => {
    const known = {
      property_id: 100,
      name: 'Size',
      display_name: 'Size',
      scales: [],
      possible_values: [
        { value_id: 1, name: 'S', scale_id: 41 },
        { value_id: 2, name: 's', scale_id: 42 },
      ],
    };
    const { inventory } = compileVariations({ properties: [{ ...SIZE, scale_id: 42 }] }, [known], DEFAULTS);
    expect(inventory.products.map(({ property_values: [value] }) => value?.value_ids)).toEqual([[2], [], []]);
  });

  it('cuts SKUs to 32 code points, hides disabled combinations, and varies the processing profile', () => {
    const offerings = [
      { color: 'Red', sku: '🍵'.repeat(40), enabled: true },
      { color: 'Blue', sku: 'B', enabled: false, quantity: 9, processing_profile_id: 8 },
    ];
    const { inventory } = compile({ properties: [COLOR], offerings });
    expect(
      inventory.products.map(({ sku, quantity, is_enabled }) => [[...sku].length, quantity, is_enabled]),
    ).toEqual([
      [32, 5, true],
      [1, 0, false],
    ]);
    expect(inventory.readiness_state_on_property).toEqual([200]);
    expect(inventory.sku_on_property).toEqual([200]);
  });

  it('returns whether any product uses the listing price', () => {
    const priced = [
      { color: 'Red', price: 3 },
      { color: 'Blue', price: 4 },
    ];
    expect(compile({ properties: [COLOR], offerings: priced }).is_listing_price_used).toBe(false);
    expect(compile({ properties: [COLOR], offerings: [{ color: 'Red' }] }).is_listing_price_used).toBe(true);
  });

  it('agrees with a slow and obvious implementation on random requests', () => {
    fc.assert(
      fc.property(requests(), ({ variations, defaults }) => {
        const fast = compileVariations(variations, [], defaults);
        expect(fast.inventory).toEqual(compileSlowly(variations, defaults));
        const enabled = fast.inventory.products.filter(
          ({ is_enabled, quantity }) => is_enabled && quantity > 0,
        );
        const lowest = Math.min(...enabled.map(({ price }) => price));
        expect(fast.price).toBe(enabled.length > 0 ? lowest : fast.price);
      }),
      { numRuns: 3000 },
    );
  });
});

type Defaults = { price: number; quantity: number; readiness_state_id: number };

function values(letter: string): fc.Arbitrary<string[]> {
  return fc
    .integer({ min: 1, max: 4 })
    .map((count) => Array.from({ length: count }, (_, index) => `${letter}${index}`));
}

function requests(): fc.Arbitrary<{ variations: Variations; defaults: Defaults }> {
  const defaults = fc.record({
    price: fc.constantFrom(20, 25),
    quantity: fc.integer({ min: 1, max: 3 }),
    readiness_state_id: fc.constantFrom(7, 8),
  });
  return fc
    .record({
      first: values('a'),
      second: fc.option(values('b')),
      defaults,
      seed: fc.infiniteStream(fc.nat(5)),
    })
    .map(({ first, second, defaults: given, seed }) => {
      const properties = [
        { property_id: 513, name: 'First', values: first },
        ...(second ? [{ property_id: 514, name: 'Second', values: second }] : []),
      ];
      const combinations = second ? first.flatMap((a) => second.map((b) => [a, b])) : first.map((a) => [a]);
      const byFirst = seed.next().value % 2 === 0;
      const offerings = combinations.flatMap(([a, b]): Offering[] => {
        if (seed.next().value === 0) return [];
        const axis = Number((byFirst ? a : (b ?? a))?.slice(1));
        return [
          {
            first: a,
            ...(b === undefined ? {} : { second: b }),
            ...(seed.next().value > 1 ? { price: seed.next().value > 0 ? 10 + axis : 10 } : {}),
            ...(seed.next().value > 1 ? { quantity: seed.next().value } : {}),
            ...(seed.next().value > 2 ? { sku: `${a}-${b}` } : {}),
            ...(seed.next().value > 3 ? { enabled: false } : {}),
            ...(seed.next().value > 3 ? { processing_profile_id: 9 } : {}),
          },
        ];
      });
      return { variations: { properties, ...(offerings.length > 0 ? { offerings } : {}) }, defaults: given };
    });
}

/** The rules once more, in the simplest form. */
function compileSlowly({ properties = [], offerings = [] }: Variations, defaults: Defaults) {
  const [first, second] = properties;
  const cells: { first: string; second: string | undefined }[] = [];
  for (const a of first?.values ?? []) {
    if (second) for (const b of second.values) cells.push({ first: a, second: b });
    else cells.push({ first: a, second: undefined });
  }
  const filled = offerings.map((offering) => ({
    cell: { first: offering['first'], second: offering['second'] },
    price: offering.price ?? defaults.price,
    readiness: offering.processing_profile_id ?? defaults.readiness_state_id,
    offering,
  }));
  const explains = (field: 'price' | 'readiness', by: 'none' | 'first' | 'second') =>
    filled.every((x) =>
      filled.every((y) => {
        const isAlike = by === 'none' || x.cell[by] === y.cell[by];
        return !isAlike || x[field] === y[field];
      }),
    );
  const axisOf = (field: 'price' | 'readiness') => {
    if (explains(field, 'none')) return 'none';
    if (explains(field, 'first')) return 'first';
    if (second && explains(field, 'second')) return 'second';
    return 'all';
  };
  const guess = (field: 'price' | 'readiness', cell: { first: string; second: string | undefined }) => {
    const axis = axisOf(field);
    if (axis === 'all') return undefined;
    return filled.find((x) => axis === 'none' || x.cell[axis] === cell[axis])?.[field];
  };
  const products = cells.map((cell) => {
    const property_values = [
      { property_id: 513, property_name: 'First', scale_id: null, value_ids: [], values: [cell.first] },
      ...(cell.second === undefined
        ? []
        : [
            {
              property_id: 514,
              property_name: 'Second',
              scale_id: null,
              value_ids: [],
              values: [cell.second],
            },
          ]),
    ];
    const own = filled.find((x) => x.cell.first === cell.first && x.cell.second === cell.second);
    if (offerings.length === 0 || own) {
      const isEnabled = own?.offering.enabled !== false;
      return {
        sku: own?.offering.sku ?? '',
        property_values,
        price: own?.price ?? defaults.price,
        quantity: isEnabled ? (own?.offering.quantity ?? defaults.quantity) : 0,
        is_enabled: isEnabled,
        readiness_state_id: own?.readiness ?? defaults.readiness_state_id,
      };
    }
    return {
      sku: '',
      property_values,
      price: guess('price', cell) ?? defaults.price,
      quantity: 0,
      is_enabled: false,
      readiness_state_id: guess('readiness', cell) ?? defaults.readiness_state_id,
    };
  });
  const axis = (read: (product: (typeof products)[number]) => unknown): number[] => {
    const alike = (by: number) =>
      products.every((x) =>
        products.every(
          (y) => x.property_values[by]?.values[0] !== y.property_values[by]?.values[0] || read(x) === read(y),
        ),
      );
    if (products.every((x) => products.every((y) => read(x) === read(y)))) return [];
    if (alike(0)) return [513];
    if (second && alike(1)) return [514];
    return second ? [513, 514] : [513];
  };
  return {
    products,
    price_on_property: axis(({ price }) => price),
    quantity_on_property: axis(({ quantity }) => quantity),
    sku_on_property: axis(({ sku }) => sku),
    readiness_state_on_property: axis(({ readiness_state_id }) => readiness_state_id),
  };
}
