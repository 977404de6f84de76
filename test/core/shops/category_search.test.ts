import { beforeEach, describe, expect, it } from 'vitest';
import { createCategories, type Categories } from '../../../src/core/shops/categories.js';
import { MUGS } from '../../service.js';
import { openShopWorld, type ShopWorld } from '../shop_world.js';

const DAY_MS = 24 * 60 * 60_000;
const READ = { getSellerTaxonomyNodes: 1 };

let world: ShopWorld;
let categories: Categories;
beforeEach(async () => {
  world = await openShopWorld();
  categories = createCategories(world.ports);
});

const search = (keywords: string, limit = 10) => categories.search(world.account_id, { keywords, limit });
async function listNames(keywords: string, limit?: number): Promise<string[]> {
  return (await search(keywords, limit)).categories.map(({ name }) => name);
}

describe('a search for categories', () => {
  it.each([
    ['mug', 'Mugs'],
    ['MUGS', 'Mugs'],
    ['handmade ceramic mug', 'Mugs'],
    ['Múg', 'Mugs'],
    ['candle', 'Candles'],
    ['candle holder', 'Candle Holders'],
    ['holders for candles', 'Candle Holders'],
    ['pillar candles', 'Pillar Candles'],
    ['tshirt', 'T-shirts'],
    ['t-shirt', 'T-shirts'],
    ['keychain', 'Keychains & Lanyards'],
    ['wall hang', 'Wall Hangings'],
    ['phone case', 'Phone Cases'],
    ['greeting cards', 'Greeting Cards'],
    ['cards', 'Greeting Cards'],
    ['vase', 'Vases'],
    ['dice', 'Dice'],
    ['scarf', 'Scarves & Wraps'],
    ['accessory for hair', 'Hair Accessories'],
    ['linen tea towels', 'Tea Towels'],
    ['jewellery rings', 'Rings'],
    [' 1062 ', 'Mugs'],
  ])('for %o finds %s first', async (keywords, name) => {
    expect((await listNames(keywords))[0]).toBe(name);
  });

  it('returns the id, the whole path and whether it is a leaf', async () => {
    expect(await search('mug', 1)).toEqual({
      total: 1,
      categories: [
        {
          category_id: MUGS,
          name: 'Mugs',
          full_path: 'Home & Living > Kitchen & Dining > Drink & Barware > Drinkware > Mugs',
          is_leaf: true,
        },
      ],
    });
  });

  it('also matches the names above a category, ranked after its own', async () => {
    const names = await listNames('drinkware');
    expect(names[0]).toBe('Drinkware');
    expect(names.slice(1).sort()).toEqual(['Cups & Tumblers', 'Mugs']);
  });

  it('counts all and returns as many as requested', async () => {
    const all = await search('candles', 50);
    expect(all.total).toBe(all.categories.length);
    const some = await search('candles', 2);
    expect(some).toEqual({ total: all.total, categories: all.categories.slice(0, 2) });
  });

  it.each(['xylophone', '&', 'the', '999999'])('finds nothing for %o', async (keywords) => {
    expect(await search(keywords)).toEqual({ total: 0, categories: [] });
  });
});

describe('the searched tree', () => {
  it('is read once a day', async () => {
    expect(await world.countDuring(() => search('mug'))).toEqual(READ);
    world.putForward(DAY_MS - 60_000);
    expect(await world.countDuring(() => search('bowl'))).toEqual({});
    world.putForward(60_000);
    expect(await world.countDuring(() => search('mug'))).toEqual(READ);
  });

  it('is used at any age while the marketplace does not answer', async () => {
    const first = await search('mug');
    world.putForward(2 * DAY_MS);
    await world.control('/faults', {
      rules: [{ operation: 'getSellerTaxonomyNodes', times: 10, action: { type: 'status', status: 503 } }],
    });
    expect(await search('mug')).toEqual(first);
  });
});
