import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../../src/core/listings/decide/decision.js';
import type { Inventory, InventoryProduct } from '../../../../src/core/ports/index.js';
import { toDrift } from '../../../../src/core/listings/decide/answers.js';
import { decideAction } from '../../../../src/core/listings/decide/decide_action.js';
import type { ListingSnapshot } from '../../../../src/core/ports/listing/snapshot.js';
import type { Target } from '../../../../src/core/ports/listing/target.js';
import {
  buildImage,
  buildInventory,
  buildQuestion,
  buildSnapshot,
  buildUpdate,
  withProduct,
} from './pieces.js';

type Part = Partial<ListingSnapshot>;

/** The decision of an undo about a job that changed `before` to `after`, if the listing is now `fresh`. */
function decide(before: Part, after: Part, fresh: Part): Decision {
  const [was, became, is] = [before, after, fresh].map((part) => buildSnapshot(part));
  const action = { kind: 'restore', before: was ?? {}, after: became ?? {} } as const;
  const update = { ...buildUpdate({}), action };
  return decideAction({ update, baseline: became, fresh: is ?? {} }, new Date());
}

function goTo(decision: Decision): Target {
  if (decision.kind !== 'go') throw new Error(JSON.stringify(decision));
  return decision.target;
}

const listDrift = (decision: Decision) =>
  decision.kind === 'drift' ? decision.drift.map(toDrift) : decision.kind;

/** The inventory, and a size for each glaze. */
function withSize(inventory: Inventory, size: string, price: number): Inventory {
  const added = inventory.products.slice(0, 3).filter((_, index) => index !== 1);
  const products = added.map((product): InventoryProduct => {
    const [glaze, own] = product.property_values;
    if (!glaze || !own) throw new Error('it varies by two');
    return {
      ...product,
      sku: `${product.sku}-${size}`,
      price,
      property_values: [glaze, { ...own, value_ids: [99], values: [size] }],
    };
  });
  return { ...inventory, products: [...inventory.products, ...products] };
}

function without(inventory: Inventory, ...skus: string[]): Inventory {
  return { ...inventory, products: inventory.products.filter(({ sku }) => !skus.includes(sku)) };
}

const listPrices = ({ inventory }: Target) => inventory?.products.map(({ sku, price }) => [sku, price]);

describe('an undo of media', () => {
  const film = { video_id: 301, video_url: 'https://video.example/301.mp4' };
  const other = { video_id: 302, video_url: 'https://video.example/302.mp4' };
  const photos = [1, 2].map((rank) => buildImage(100 + rank, rank));
  const added = [...photos, buildImage(103, 3)];

  it('leaves a video that was added, changed or removed since if it reverts photos', () => {
    for (const [then, now] of [
      [[], [film]],
      [[film], [other]],
      [[film], []],
    ]) {
      const was = { images: photos, videos: then };
      const target = goTo(decide(was, { ...was, images: added }, { images: added, videos: now }));
      expect(target.images?.map(({ id }) => id)).toEqual([101, 102]);
      expect(target.videos).toBeUndefined();
    }
  });

  it('leaves photos that were added, reordered or removed since if it reverts a video', () => {
    const was = { images: photos, videos: [film] };
    for (const now of [added, photos.toReversed(), photos.slice(1)]) {
      const target = goTo(decide(was, { ...was, videos: [other] }, { images: now, videos: [other] }));
      expect(target.videos).toEqual([{ id: 301, file: null }]);
      expect(target.images).toBeUndefined();
    }
  });

  it('is refused if the same kind was changed since', () => {
    const was = { images: photos, videos: [film] };
    const more = { ...was, images: added };
    expect(decide(was, more, { ...more, images: [...added, buildImage(104, 4)] }).kind).toBe('drift');
    const replaced = { ...was, videos: [other] };
    expect(decide(was, replaced, { ...replaced, videos: [] }).kind).toBe('drift');
  });
});

describe('an undo of a price', () => {
  const was = { inventory: buildInventory() };
  const became = { inventory: withProduct(buildInventory(), 'A', { price: 25 }) };

  it('leaves combinations that were added since', () => {
    const target = goTo(decide(was, became, { inventory: withSize(became.inventory, 'Huge', 60) }));
    expect(listPrices(target)).toEqual([
      ['A', 20],
      ['B', 30],
      ['C', 20],
      ['D', 30],
      ['A-Huge', 60],
      ['C-Huge', 60],
    ]);
    expect(target.inventory?.price_on_property).toEqual([514]);
  });

  it('does not restore combinations that were removed since', () => {
    const target = goTo(decide(was, became, { inventory: without(became.inventory, 'B', 'D') }));
    expect(listPrices(target)).toEqual([
      ['A', 20],
      ['C', 20],
    ]);
  });

  it('is refused if the combination was removed, or its price changed since, even under another name', () => {
    const gone = decide(was, became, { inventory: without(became.inventory, 'A', 'C') });
    const field = 'variations.offerings[Glaze: Sand, Size: Small]';
    expect(listDrift(gone)).toMatchObject([{ field, theirs: null }]);
    const products = withProduct(became.inventory, 'A', { price: 31 }).products.map((product) => ({
      ...product,
      property_values: product.property_values.map((own) => ({
        ...own,
        property_name: own.property_name === 'Size' ? 'Volume' : own.property_name,
      })),
    }));
    const renamed = decide(was, became, { inventory: { ...became.inventory, products } });
    expect(listDrift(renamed)).toEqual([
      { field: 'variations.offerings[Glaze: Sand, Volume: Small].price', ours: 25, theirs: 31 },
    ]);
  });

  it('leaves other values of the same combination', () => {
    const fresh = { inventory: withProduct(became.inventory, 'A', { sku: 'Z' }) };
    expect(listPrices(goTo(decide(was, became, fresh)))?.[0]).toEqual(['Z', 20]);
  });
});

describe('an undo of a new set of combinations', () => {
  const was = { inventory: buildInventory() };
  const became = { inventory: withSize(buildInventory(), 'Huge', 60) };

  it('removes added ones and restores removed ones, along with other changes of the same update', () => {
    const fresh = { inventory: withProduct(became.inventory, 'B', { price: 33 }) };
    expect(listPrices(goTo(decide(was, became, fresh)))).toEqual([
      ['A', 20],
      ['B', 33],
      ['C', 20],
      ['D', 30],
    ]);
    const back = goTo(decide(became, was, { inventory: withProduct(was.inventory, 'B', { price: 33 }) }));
    expect(listPrices(back)?.slice(1)).toEqual([
      ['B', 33],
      ['C', 20],
      ['D', 30],
      ['A-Huge', 60],
      ['C-Huge', 60],
    ]);
  });

  it('is refused if the combinations were changed since', () => {
    const fresh = { inventory: without(became.inventory, 'B', 'D') };
    expect(decide(was, became, fresh).kind).toBe('drift');
  });
});

function undoAttributes(
  before: Part['attributes'],
  after: Part['attributes'],
  fresh: Part['attributes'],
): Part['attributes'] {
  return goTo(decide({ attributes: before }, { attributes: after }, { attributes: fresh })).attributes;
}

describe('an undo of attributes', () => {
  const blue = { property_id: 200, value_ids: [1], values: ['Blue'] };
  const red = { property_id: 200, value_ids: [2], values: ['Red'] };
  const linen = { property_id: 300, value_ids: [3], values: ['Linen'] };
  const silk = { property_id: 300, value_ids: [4], values: ['Silk'] };

  it('leaves another attribute that was added, changed or removed since', () => {
    expect(undoAttributes([blue], [red], [red, linen])).toEqual([linen, blue]);
    expect(undoAttributes([linen], [linen, red], [silk, red])).toEqual([silk]);
    expect(undoAttributes([blue, linen], [red, linen], [red])).toEqual([blue]);
  });

  it('is refused if that attribute was changed since', () => {
    const green = { property_id: 200, value_ids: [5], values: ['Green'] };
    const decision = decide({ attributes: [blue] }, { attributes: [red] }, { attributes: [green, linen] });
    expect(listDrift(decision)).toEqual([
      { field: 'category_attributes.200', ours: ['Red'], theirs: ['Green'] },
    ]);
  });
});

const undoQuestions = (before: Part['questions'], after: Part['questions'], fresh: Part['questions']) =>
  decide({ questions: before }, { questions: after }, { questions: fresh });

describe('an undo of personalization', () => {
  const ours = buildQuestion({ instructions: 'Your name' });
  const changed = buildQuestion({ instructions: 'Two names' });
  const size = buildQuestion({ question_id: 2, question_type: 'dropdown', question_text: 'Which size?' });

  it('leaves other values of the question, and other questions', () => {
    const required = { ...changed, required: true };
    expect(goTo(undoQuestions([ours], [changed], [required])).questions).toEqual([
      { ...ours, required: true },
    ]);
    expect(goTo(undoQuestions([ours], [changed], [size, changed])).questions).toEqual([size, ours]);
    expect(goTo(undoQuestions([size, ours], [size, changed], [changed])).questions).toEqual([ours]);
    expect(goTo(undoQuestions([], [changed], [changed, size])).questions).toEqual([size]);
    expect(goTo(undoQuestions([ours], [], [size])).questions).toEqual([size, ours]);
  });

  it('is refused if the same value was changed since, even among others', () => {
    const other = { ...changed, instructions: 'By hand' };
    const field = 'personalization.instructions';
    expect(listDrift(undoQuestions([ours], [changed], [other]))).toEqual([
      { field, ours: 'Two names', theirs: 'By hand' },
    ]);
    expect(listDrift(undoQuestions([ours], [changed], [size, other]))).toEqual([
      { field, ours: 'Two names', theirs: 'By hand' },
    ]);
    expect(undoQuestions([ours], [changed], [{ ...other, add_on_price: 3 }]).kind).toBe('drift');
    expect(undoQuestions([ours], [changed], [size]).kind).toBe('drift');
    expect(undoQuestions([], [ours], [other]).kind).toBe('drift');
    expect(undoQuestions([ours], [], [other]).kind).toBe('drift');
  });
});

const buildPhoto = (value: string, value_id: number, image_id: number) => ({
  property_id: 513,
  value_id,
  value,
  image_id,
});

it('leaves photos of other values when it reverts the photo of a value', () => {
  const decision = decide(
    { variation_images: [buildPhoto('Sand', 11, 101), buildPhoto('Moss', 12, 102)] },
    { variation_images: [buildPhoto('Sand', 11, 103), buildPhoto('Moss', 12, 102)] },
    { variation_images: [buildPhoto('Sand', 11, 103), buildPhoto('Moss', 12, 101)] },
  );
  expect(goTo(decision).variation_images).toEqual([
    { property_id: 513, value: 'Moss', image: { id: 101 } },
    { property_id: 513, value: 'Sand', image: { id: 101 } },
  ]);
});
