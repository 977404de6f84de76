import { beforeEach, describe, expect, it } from 'vitest';
import { createCategories, type Categories } from '../../../src/core/shops/categories.js';
import { createSuggestions } from '../../../src/core/shops/suggestions.js';
import { MUGS } from '../../service.js';
import { openShopWorld, type ShopWorld } from '../shop_world.js';

const DAY_MS = 24 * 60 * 60_000;
const READ = { getPropertiesByTaxonomyId: 1 };

let world: ShopWorld;
let categories: Categories;
beforeEach(async () => {
  world = await openShopWorld();
  categories = createCategories(world.ports);
});

const read = () => categories.getSchema(world.account_id, MUGS);
const search = () => categories.search(world.account_id, { keywords: 'mug', limit: 1 });
const fail = (status: number) =>
  world.control('/faults', {
    rules: [{ operation: 'getPropertiesByTaxonomyId', times: 10, action: { type: 'status', status } }],
  });

describe("a category's schema", () => {
  it('is read once a day', async () => {
    expect(await world.countDuring(read)).toEqual(READ);
    const first = await read();
    world.putForward(DAY_MS - 60_000);
    expect(await world.countDuring(read)).toEqual({});
    world.putForward(60_000);
    expect(await world.countDuring(read)).toEqual(READ);
    expect(await read()).toEqual(first);
  });

  it('is read once for concurrent requests', async () => {
    expect(await world.countDuring(() => Promise.all([read(), read(), read()]))).toEqual(READ);
  });

  it('is still read for others when one caller stops waiting', async () => {
    const leaving = new AbortController();
    const left = categories.getSchema(world.account_id, MUGS, { signal: leaving.signal });
    const stayed = read();
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(await stayed).toMatchObject({ category_id: MUGS });
  });

  it('is used after a day while the marketplace does not answer', async () => {
    const first = await categories.getSchema(world.account_id, MUGS);
    world.putForward(2 * DAY_MS);
    await fail(503);
    expect(await categories.getSchema(world.account_id, MUGS)).toEqual(first);
    await expect(categories.getSchema(world.account_id, 1063)).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });

  it.each([404, 400])('is no longer used if the marketplace has dropped it: %i', async (status) => {
    await categories.getSchema(world.account_id, MUGS);
    world.putForward(2 * DAY_MS);
    await fail(status);
    await expect(categories.getSchema(world.account_id, MUGS)).rejects.toMatchObject({
      code: 'CATEGORY_NOT_FOUND',
      status: 404,
    });
  });

  it('is reported as missing if it never existed', async () => {
    await expect(categories.getSchema(world.account_id, 999_999)).rejects.toMatchObject({
      code: 'CATEGORY_NOT_FOUND',
      message: 'The marketplace has no category 999999.',
    });
  });
});

describe('the category tree', () => {
  it('is read once for concurrent requests', async () => {
    const calls = await world.countDuring(() => Promise.all([search(), search(), search()]));
    expect(calls).toEqual({ getSellerTaxonomyNodes: 1 });
  });

  it('gives suggestions from the saved tree, without marketplace calls', async () => {
    const suggestions = createSuggestions(world.shops, categories);
    const suggest = () => suggestions.listCategories('mugs');
    expect(await world.countDuring(suggest)).toEqual({});
    expect(await suggest()).toEqual([]);
    await search();
    world.putForward(2 * DAY_MS);
    expect(await world.countDuring(suggest)).toEqual({});
    expect(await suggest()).toContainEqual(expect.objectContaining({ id: String(MUGS) }));
  });

  it('is parsed again only if another one is saved, even for an unknown id', async () => {
    let parsed = 0;
    const counting = {
      ...world.store.categories,
      findCategoryTree: () => ((parsed += 1), world.store.categories.findCategoryTree()),
    };
    const { ports } = world;
    categories = createCategories({ ...ports, store: { ...ports.store, categories: counting } });
    await search();
    for (let times = 0; times < 3; times += 1) {
      expect(await categories.findKeptPath(999_999)).toBeUndefined();
      expect(await categories.isKnownMissing(999_999)).toBe(true);
    }
    expect(parsed).toBe(1);
    const node = { category_id: 999_999, name: 'New', full_path: ['New'], is_leaf: true };
    await world.store.categories.saveCategoryTree([node], new Date().toISOString());
    expect(await categories.findKeptPath(999_999)).toBe('New');
    expect(parsed).toBe(2);
  });
});
