import { beforeEach, describe, expect, it } from 'vitest';
import { createCategories, type Categories } from '../../../src/core/shops/categories.js';
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

  it('that is older than a day serves while the marketplace does not answer', async () => {
    const first = await categories.getSchema(world.account_id, MUGS);
    world.putForward(2 * DAY_MS);
    await fail(503);
    expect(await categories.getSchema(world.account_id, MUGS)).toEqual(first);
    await expect(categories.getSchema(world.account_id, 1063)).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });

  it.each([404, 400])('that the marketplace has given up is not served any more: %i', async (status) => {
    await categories.getSchema(world.account_id, MUGS);
    world.putForward(2 * DAY_MS);
    await fail(status);
    await expect(categories.getSchema(world.account_id, MUGS)).rejects.toMatchObject({
      code: 'CATEGORY_NOT_FOUND',
      status: 404,
    });
  });

  it('that never was is told as such', async () => {
    await expect(categories.getSchema(world.account_id, 999_999)).rejects.toMatchObject({
      code: 'CATEGORY_NOT_FOUND',
      message: 'The marketplace has no category 999999.',
    });
  });
});
