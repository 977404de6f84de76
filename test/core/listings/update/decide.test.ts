import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLabel } from '../../../../src/core/listings/snapshot/field_refs.js';
import { compareSnapshots } from '../../../../src/core/listings/snapshot/compare.js';
import { decideShop, listParts } from '../../../../src/core/listings/decide/decide.js';
import type { Decision } from '../../../../src/core/listings/decide/decision.js';
import { toDrift, toShown } from '../../../../src/core/listings/decide/answers.js';
import { projectTarget } from '../../../../src/core/listings/decide/project.js';
import type { OfferingChange, ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import type { KeptSnapshot, ListingSnapshot } from '../../../../src/core/ports/listing/snapshot.js';
import {
  buildImage,
  buildInventory,
  buildOnly,
  buildQuestion,
  buildSnapshot,
  buildUpdate,
  withProduct,
} from './pieces.js';

function decide(
  changes: ShopChanges,
  {
    fresh = {},
    baseline,
    on_drift,
  }: {
    fresh?: Partial<ListingSnapshot>;
    baseline?: KeptSnapshot;
    on_drift?: 'refuse' | 'overwrite';
  } = {},
): Decision {
  return decideShop({
    update: buildUpdate(changes, on_drift),
    baseline: baseline ?? buildSnapshot(),
    fresh: buildSnapshot(fresh),
  });
}

function go(decision: Decision): Extract<Decision, { kind: 'go' }> {
  if (decision.kind !== 'go') throw new Error(JSON.stringify(decision));
  return decision;
}

const offering = (
  match: OfferingChange['match'],
  set: OfferingChange['set'],
): NonNullable<ShopChanges['inventory']> => ({
  kind: 'offerings',
  offerings: [{ path: 'changes.offerings[0]', match, set }],
});

const { listing } = buildSnapshot();

describe('the parts read', () => {
  it.each([
    [{ fields: { item_weight: 3 } }, ['listing']],
    [{ fields: { title: 'B' } }, ['listing', 'translations']],
    [{ inventory: offering({ sku: 'A' }, { price: 21 }) }, ['listing', 'inventory', 'variation_images']],
    [
      { inventory: offering({ sku: 'A' }, { quantity: 0 }) },
      ['listing', 'inventory', 'variation_images', 'translations'],
    ],
    [{ images: [] }, ['listing', 'images', 'inventory', 'variation_images']],
    [{ personalization: { enabled: false } }, ['listing', 'questions']],
    [{ attributes: [] }, ['listing', 'attributes']],
  ] satisfies [ShopChanges, string[]][])('depend on the update %j', (changes, parts) => {
    expect(listParts(buildUpdate(changes))).toEqual(parts);
  });
});

describe('an update of one combination', () => {
  it('changes it in the values just read, and varies no more properties than before', () => {
    const { target, diff } = go(decide({ inventory: offering({ sku: 'A' }, { quantity: 9 }) }));
    expect(target.inventory?.products.map(({ quantity }) => quantity)).toEqual([9, 5, 5, 5]);
    expect(target.inventory).toMatchObject({ price_on_property: [514], quantity_on_property: [513, 514] });
    expect(diff.map(toShown)).toEqual([
      { field: 'variations.offerings[Glaze: Sand, Size: Small].quantity', before: 5, after: 9 },
    ]);
  });

  it('finds it by its values, and keeps the photos of variations', () => {
    const values = [
      { name: 'size', property_id: null, value: 'large' },
      { name: 'Anything', property_id: 513, value: 'Moss' },
    ];
    const { target } = go(decide({ inventory: offering({ values }, { price: 35 }) }));
    expect(target.inventory?.products.map(({ price }) => price)).toEqual([20, 30, 20, 35]);
    expect(target.variation_images).toEqual([
      { property_id: 513, value: 'Sand', image: { id: 101 } },
      { property_id: 513, value: 'Moss', image: { id: 102 } },
    ]);
  });

  it('sends the quantity just read, even if it differs from before', () => {
    const fresh = { inventory: withProduct(buildInventory(), 'B', { quantity: 2 }) };
    const { target, warnings } = go(decide({ inventory: offering({ sku: 'A' }, { price: 21 }) }, { fresh }));
    expect(target.inventory?.products.map(({ quantity }) => quantity)).toEqual([5, 2, 5, 5]);
    expect(warnings).toMatchObject([
      { code: 'sold_meanwhile', fields: ['variations.offerings[Glaze: Sand, Size: Large].quantity'] },
    ]);
  });

  it('is refused if it is ambiguous, with the existing combinations', () => {
    const twice = { inventory: withProduct(buildInventory(), 'B', { sku: 'A' }) };
    expect(decide({ inventory: offering({ sku: 'A' }, { price: 1 }) }, { fresh: twice })).toMatchObject({
      kind: 'refused',
      problem: { params: { labels: ['Glaze: Sand, Size: Small', 'Glaze: Sand, Size: Large'] } },
    });
    expect(decide({ inventory: offering({ sku: 'X' }, { price: 1 }) })).toMatchObject({
      kind: 'refused',
      problem: { params: { skus: ['A', 'B', 'C', 'D'] } },
      fields: ['changes.offerings[0]'],
    });
    expect(decide({ inventory: offering({}, { price: 1 }) })).toMatchObject({
      kind: 'refused',
      problem: { params: { count: 4 } },
    });
  });

  it('with three properties keeps the third', () => {
    const inventory = buildInventory();
    const products = inventory.products.map((product) => ({
      ...product,
      property_values: [
        ...product.property_values,
        { property_id: 515, property_name: 'Handle', scale_id: null, value_ids: [31], values: ['Left'] },
      ],
    }));
    const fresh = { inventory: { ...inventory, products } };
    const { target } = go(
      decide({ inventory: offering({ sku: 'A' }, { price: 21 }) }, { fresh, baseline: fresh }),
    );
    expect(target.inventory?.products[0]?.property_values).toHaveLength(3);
    expect(target.inventory?.price_on_property).toEqual([513, 514, 515]);
    const whole = { kind: 'whole' as const, inventory, quantities: [] };
    expect(decide({ inventory: whole }, { fresh, baseline: fresh })).toMatchObject({
      kind: 'refused',
      problem: { code: 'options_three' },
    });
  });
});

describe('another set of combinations', () => {
  it('leaves a stock that is only repeated', () => {
    const { products, ...axes } = buildInventory();
    const inventory = { ...axes, products: products.slice(0, 2) };
    const fresh = { inventory: withProduct(buildInventory(), 'A', { quantity: 1 }) };
    const values = [
      { name: 'Glaze', property_id: 513, value: 'Sand' },
      { name: 'Size', property_id: 514, value: 'Small' },
    ];
    const change = { kind: 'whole' as const, inventory, quantities: [{ values, quantity: 5 }] };
    const { target, warnings } = go(decide({ inventory: change }, { fresh }));
    expect(target.inventory?.products.map(({ quantity }) => quantity)).toEqual([1, 5]);
    expect(target.variation_images).toEqual([{ property_id: 513, value: 'Sand', image: { id: 101 } }]);
    expect(warnings.map(({ code }) => code)).toContain('is_lost');
  });
});

describe('an update that leaves nothing to sell', () => {
  const nothing: ShopChanges = {
    inventory: {
      kind: 'offerings',
      offerings: ['A', 'B', 'C', 'D'].map((sku) => ({
        path: 'changes.offerings[0]',
        match: { sku },
        set: { quantity: 0 },
      })),
    },
  };

  it('deactivates the listing, keeps the stock, and restores the translations', () => {
    const { target, diff, warnings } = go(decide(nothing));
    expect(target).toEqual({ state: 'inactive', translations: buildSnapshot().translations });
    expect(diff.map(toShown)).toEqual([{ field: 'state', before: 'active', after: 'inactive' }]);
    expect(warnings).toMatchObject([{ code: 'off_sale' }]);
  });

  it('changes nothing if the listing is inactive', () => {
    const fresh = { listing: { ...listing, state: 'inactive' as const } };
    expect(decide(nothing, { fresh, baseline: fresh })).toMatchObject({
      kind: 'unchanged',
      warnings: [{ code: 'off_sale' }],
    });
  });
});

describe('drift', () => {
  const byHand = { listing: { ...listing, title: 'By hand', description: 'Too.' } };

  it('in a field to be changed is refused with both values', () => {
    expect(decide({ fields: { title: 'Mine' } }, { fresh: byHand })).toEqual({
      kind: 'drift',
      drift: [{ ref: { part: 'fields', field: 'title' }, before: 'A mug', after: 'By hand', kind: 'set' }],
      taken_over: [
        {
          ref: { part: 'fields', field: 'description' },
          before: 'Thrown by hand.',
          after: 'Too.',
          kind: 'set',
        },
      ],
    });
  });

  it('is overwritten if requested, and reported', () => {
    const decision = go(decide({ fields: { title: 'Mine' } }, { fresh: byHand, on_drift: 'overwrite' }));
    expect(decision.target.fields).toEqual({ title: 'Mine' });
    expect(decision.warnings).toMatchObject([{ code: 'translation_stale' }]);
    expect(decision.overwriting).toMatchObject([
      {
        ref: { part: 'fields', field: 'title' },
        warning: { code: 'overwritten', fields: ['listing.title'] },
      },
    ]);
    expect(decision.taken_over.map(({ ref }) => toLabel(ref))).toEqual(['listing.description']);
  });

  it('in other fields stays and is adopted', () => {
    const { target, taken_over } = go(decide({ fields: { item_weight: 3 } }, { fresh: byHand }));
    expect(target).toEqual({ fields: { item_weight: 3 } });
    expect(taken_over.map(({ ref, after }) => [toLabel(ref), after])).toEqual([
      ['listing.title', 'By hand'],
      ['listing.description', 'Too.'],
    ]);
  });

  it('does not include an edit that made the same change', () => {
    expect(decide({ fields: { title: 'By hand' } }, { fresh: byHand }).kind).toBe('unchanged');
  });

  it('of one photo is drift of all photos', () => {
    const fresh = {
      images: [buildImage(101, 1), { ...buildImage(102, 2), alt_text: 'By hand' }, buildImage(103, 3)],
    };
    const images = [{ url: 'https://img.example/103.jpg', path: 'changes.images[0]', id: null, file: null }];
    expect(decide({ images }, { fresh })).toMatchObject({
      kind: 'drift',
      drift: [{ ref: { part: 'images', field: 'alt_text', id: 102, position: 1 } }],
    });
  });

  it('of a combination concerns only that one', () => {
    const fresh = { inventory: withProduct(buildInventory(), 'B', { price: 33 }) };
    const other = decide({ inventory: offering({ sku: 'A' }, { quantity: 9 }) }, { fresh });
    expect(go(other).target.inventory?.products.map(({ price }) => price)).toEqual([20, 33, 20, 30]);
    const same = decide({ inventory: offering({ sku: 'B' }, { price: 34 }) }, { fresh });
    expect(same.kind === 'drift' && same.drift.map(toDrift)).toEqual([
      { field: 'variations.offerings[Glaze: Sand, Size: Large].price', ours: 30, theirs: 33 },
    ]);
  });

  it('cannot be detected in parts that were never saved, which is reported', () => {
    const decision = go(decide({ fields: { title: 'Mine' } }, { fresh: byHand, baseline: {} }));
    expect(decision.warnings.map(({ code }) => code)).toContain('not_checked');
  });
});

const toPhoto = (url: string, id: number | null = null) => ({
  url,
  path: 'changes.images[0]',
  id,
  file: null,
});

describe('updated photos', () => {
  it('leave photos a request cannot express behind those they name', () => {
    const images = Array.from({ length: 12 }, (_, index) => buildImage(101 + index, index + 1));
    const fresh = { images };
    const wanted = images
      .slice(0, 10)
      .toReversed()
      .map(({ url_fullxfull }) => toPhoto(url_fullxfull));
    const { target } = go(decide({ images: wanted }, { fresh, baseline: fresh }));
    expect(target.images?.map(({ id }) => id)).toEqual([
      110, 109, 108, 107, 106, 105, 104, 103, 102, 101, 111, 112,
    ]);
  });

  it('keep their alt text unless another is given', () => {
    const { target } = go(decide({ images: [toPhoto('x', 103), { ...toPhoto('y', 101), alt_text: 'New' }] }));
    expect(target.images).toEqual([
      { id: 103, file: null, alt_text: 'Photo 103' },
      { id: 101, file: null, alt_text: 'New' },
    ]);
    expect(target.variation_images).toEqual([{ property_id: 513, value: 'Sand', image: { id: 101 } }]);
  });

  it('are required on an active listing, and must come from somewhere', () => {
    expect(decide({ images: [] })).toMatchObject({
      kind: 'refused',
      problem: { code: 'photo_needed' },
    });
    expect(decide({ images: [toPhoto('https://else.example/1.jpg')] })).toMatchObject({ kind: 'refused' });
  });
});

describe('updated questions', () => {
  const questions = [
    buildQuestion({ question_id: 1, question_type: 'dropdown', question_text: 'Which size?' }),
    buildQuestion({ question_id: 2, question_text: 'Which dog?', add_on_price: 3 }),
  ];
  const fresh = { questions };

  it('keep questions that are not ours', () => {
    const { target } = go(
      decide({ personalization: { enabled: true, max_chars: 20 } }, { fresh, baseline: fresh }),
    );
    expect(target.questions).toEqual([questions[0], { ...questions[1], max_allowed_characters: 20 }]);
  });

  it('are all removed, with a report, if none is to be asked', () => {
    const { target, warnings } = go(
      decide({ personalization: { enabled: false } }, { fresh, baseline: fresh }),
    );
    expect(target.questions).toEqual([]);
    expect(warnings).toMatchObject([
      { code: 'is_lost', reason: { params: { questions: expect.arrayContaining(['Which dog?']) } } },
    ]);
  });

  it('are reported as lost if one is not ours, and not if only ours is lost', () => {
    const off = { personalization: { enabled: false } };
    const [dropdown = buildQuestion()] = questions;
    const foreign = { questions: [dropdown] };
    expect(go(decide(off, { fresh: foreign, baseline: foreign })).warnings).toMatchObject([
      { code: 'is_lost', reason: { params: { questions: ['Which size?'] } } },
    ]);
    const own = { questions: [buildQuestion()] };
    expect(go(decide(off, { fresh: own, baseline: own })).warnings).toEqual([]);
  });
});

it('restores the translations after a new title, and warns that they belong to the old one', () => {
  const { target, warnings } = go(decide({ fields: { title: 'B' } }));
  expect(target).toEqual({ fields: { title: 'B' }, translations: buildSnapshot().translations });
  expect(warnings).toMatchObject([
    { code: 'translation_stale', reason: { params: { languages: ['de', 'fr'] } } },
  ]);
});

it('identifies the only product by nothing or by its SKU', () => {
  const fresh = { inventory: buildOnly(), variation_images: [] };
  for (const match of [{}, { sku: 'A' }]) {
    const { diff } = go(
      decide({ inventory: offering(match, { price: 22, sku: 'Z' }) }, { fresh, baseline: fresh }),
    );
    expect(diff.map(({ ref, after }) => [toLabel(ref), after])).toEqual([
      ['listing.price', 22],
      ['listing.sku', 'Z'],
    ]);
  }
});

describe('any update', () => {
  const money = fc.integer({ min: 20, max: 5000 }).map((cents) => cents / 100);
  const anyOffering = fc.record({
    path: fc.constant('changes.offerings[0]'),
    match: fc.record({ sku: fc.constantFrom('A', 'B', 'C', 'D') }),
    set: fc.record(
      {
        price: money,
        quantity: fc.integer({ min: 1, max: 9 }),
        sku: fc.string({ maxLength: 5 }),
        is_enabled: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  });
  const anyChanges: fc.Arbitrary<ShopChanges> = fc.record(
    {
      fields: fc.record(
        {
          title: fc.string(),
          description: fc.string(),
          tags: fc.array(fc.string()),
          item_weight: fc.option(money),
        },
        { requiredKeys: [] },
      ),
      inventory: fc.record({
        kind: fc.constant('offerings' as const),
        offerings: fc.array(anyOffering, { minLength: 1, maxLength: 3 }),
      }),
      images: fc
        .shuffledSubarray([101, 102, 103], { minLength: 1 })
        .map((ids) => ids.map((id) => ({ url: `u${id}`, path: 'changes.images[0]', id, file: null }))),
      personalization: fc.record({ enabled: fc.boolean(), instructions: fc.option(fc.string()) }),
      attributes: fc.array(
        fc.record({
          property_id: fc.constantFrom(200, 201),
          attribute: fc.option(
            fc.record({
              property_id: fc.constant(200),
              value_ids: fc.constant([2]),
              values: fc.constant(['Red']),
            }),
          ),
        }),
        { maxLength: 1 },
      ),
    },
    { requiredKeys: [] },
  );

  it('leaves nothing to do once it is reached, and everything it does not name unchanged', () => {
    fc.assert(
      fc.property(anyChanges, (changes) => {
        const fresh = buildSnapshot();
        const first = decideShop({ update: buildUpdate(changes), baseline: fresh, fresh });
        if (first.kind !== 'go') return;
        const reached = { ...fresh, ...projectTarget(fresh, first.target) };
        // An offering with a new SKU is no longer found by its old one.
        const isFound = !first.diff.some(({ ref }) => ref.part === 'inventory' && ref.field === 'sku');
        const again = decideShop({ update: buildUpdate(changes), baseline: reached, fresh: reached });
        expect(isFound ? again.kind : 'unchanged').toBe('unchanged');
        expect(compareSnapshots(fresh, reached)).toEqual(first.diff);
        const touched = new Set(first.diff.map(({ ref }) => ref.part));
        expect(touched.has('attributes')).toBe(touched.has('attributes') && !!changes.attributes);
        expect(touched.has('images')).toBe(touched.has('images') && !!changes.images);
        expect(changes.inventory ? undefined : reached.inventory).toEqual(
          changes.inventory ? undefined : fresh.inventory,
        );
        expect(reached.translations).toEqual(fresh.translations);
      }),
    );
  });
});
