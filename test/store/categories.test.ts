import { expect, it } from 'vitest';
import { openWorld, START } from './world.js';

const SCHEMA = {
  category_id: 1633,
  required_fields: [{ field: 'title', type: 'string', description: 'Up to 140 characters' }],
  category_attributes: [],
  variation_properties: [
    { property_id: 200, name: 'color', display_name: 'Colour', possible_values: [], scales: [] },
  ],
};
const TREE = [
  { category_id: 1, name: 'Home', full_path: ['Home'], is_leaf: false },
  { category_id: 1633, name: 'Bowls', full_path: ['Home', 'Bowls'], is_leaf: true },
];
const LATER = '2026-11-21T10:00:00.000Z';

it('keeps the last schema of each category for every process, whichever one fetched it', async () => {
  const { store, data_dir } = await openWorld();
  const { store: neighbour } = await openWorld({ data_dir });
  expect(await store.categories.findCategorySchema(1633)).toBeUndefined();
  await store.categories.saveCategorySchema(SCHEMA, START);
  expect(await store.categories.findCategorySchema(1633)).toEqual({ schema: SCHEMA, fetched_at: START });
  const changed = { ...SCHEMA, required_fields: [] };
  await neighbour.categories.saveCategorySchema(changed, LATER);

  expect(await store.categories.findCategorySchema(1633)).toEqual({ schema: changed, fetched_at: LATER });
  expect(await store.categories.findCategorySchema(1)).toBeUndefined();
  await store.categories.saveCategorySchema(SCHEMA, LATER);
  expect(await store.categories.findCategorySchema(1633)).toEqual({ schema: SCHEMA, fetched_at: LATER });
});

it('keeps only the last tree', async () => {
  const { store } = await openWorld();
  expect(await store.categories.findCategoryTree()).toBeUndefined();
  await store.categories.saveCategoryTree(TREE, START);
  expect(await store.categories.findCategoryTree()).toEqual({ categories: TREE, fetched_at: START });
  await store.categories.saveCategoryTree([], LATER);

  expect(await store.categories.findCategoryTree()).toEqual({ categories: [], fetched_at: LATER });
});
