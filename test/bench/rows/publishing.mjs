import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINES } from '../harness/engines.mjs';
import { openMarketplace } from '../harness/marketplace.mjs';
import { publishInTurn } from '../harness/naive.mjs';
import { alternate } from '../harness/numbers.mjs';

/*
 * Measures the time to create drafts on the sandbox, which runs in a separate process and answers after
 * 150 ms, against a lower bound: one shop's critical path times the latency, or the number of calls divided by
 * the rate, whichever is longer. The critical path is the listing, its images one after another (the
 * marketplace scrambles images uploaded in parallel), the steps that need images and inventory, and the
 * re-read that shows what the marketplace silently changed. The first second's calls are available
 * immediately, so short runs can beat the bound.
 */

const LATENCY_MS = 150;
const RATES = [5, 50];
const SHAPES = [
  { shops: 1, images: 1, rounds: 5 },
  { shops: 1, images: 10, rounds: 3 },
  { shops: 1, images: 10, rounds: 3, has_extras: true },
  { shops: 5, images: 10, rounds: 1, has_extras: true },
  { shops: 20, images: 10, rounds: 1, has_extras: true },
];
/**
 * The shapes in which the database gets the most queries per second; at 5 calls a second everything waits for
 * the marketplace.
 */
const SIDE_BY_SIDE = { rate: 50, least_images: 10, most_shops: 5 };
const MOST_QUICK_SHOPS = 1;
const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const MUG = {
  title: 'Stoneware mug',
  description: 'A mug.',
  taxonomy_id: 1062,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
};
const PROPERTY = { property_id: 513, property_name: 'Glaze' };
const GLAZES = ['White', 'Ochre'];
const ATTRIBUTES = [
  { property_id: 357, value_id: 2104, value: 'Stoneware' },
  { property_id: 358, value_id: 2140, value: 'Yes' },
];
const PHOTOS = Array.from({ length: 10 }, (_, index) =>
  join(FIXTURES, `photo-${String(index + 1).padStart(2, '0')}.jpg`),
);
const CLIP = join(FIXTURES, 'clip.mp4');

export async function measure({ is_quick }) {
  const shapes = SHAPES.filter(({ shops }) => !is_quick || shops <= MOST_QUICK_SHOPS);
  const shop_count = Math.max(...shapes.map(({ shops }) => shops));
  const opened = [];
  for (const engine of ENGINES) {
    const of_engine = engine === ENGINES[0] ? shop_count : Math.min(shop_count, SIDE_BY_SIDE.most_shops);
    opened.push(await open(engine, of_engine));
  }
  const lines = [];
  for (const rate of RATES) {
    for (const { marketplace } of opened) {
      await marketplace.control('POST', '/settings', { rate_per_second: rate });
    }
    for (const shape of shapes) {
      const isSideBySide =
        rate === SIDE_BY_SIDE.rate &&
        shape.images >= SIDE_BY_SIDE.least_images &&
        shape.shops <= SIDE_BY_SIDE.most_shops;
      lines.push(...(await measureShape(isSideBySide ? opened : opened.slice(0, 1), rate, shape)));
    }
  }
  for (const { marketplace } of opened) await marketplace.close();
  return lines;
}

async function open(engine, shop_count) {
  const marketplace = await openMarketplace(shop_count, FIXTURES, { latency_ms: LATENCY_MS }, engine);
  // The first listing in a category each day also reads the category's properties.
  await marketplace.invoke('listing_schema', { category_id: MUG.taxonomy_id });
  return { engine: engine.name, marketplace, uploads: await upload(marketplace) };
}

/** Returns one row per engine. The naive program has none of its own; it runs on the first engine's sandbox. */
async function measureShape(opened, rate, shape) {
  const [{ marketplace: first }] = opened;
  const made = [];
  const ours = opened.map(({ engine, marketplace, uploads }, index) => [
    engine,
    async () => {
      const before = await marketplace.countCalls();
      const request = buildRequest(marketplace.shops.slice(0, shape.shops), uploads, shape);
      const took_ms = await time(() => marketplace.publish(request));
      if (index === 0) made.push(await marketplace.countCalls(before));
      return took_ms;
    },
  ]);
  const { naive, ...measured } = await alternate(shape.rounds, {
    ...Object.fromEntries(ours),
    naive: () =>
      time(() =>
        publishInTurn(first, first.shops.slice(0, shape.shops), {
          listing: MUG,
          photos: PHOTOS.slice(0, shape.images),
          ...(shape.has_extras && {
            extras: { video: CLIP, attributes: ATTRIBUTES, property: PROPERTY, values: GLAZES },
          }),
        }),
      ),
  });
  const least = listLeastCalls(shape);
  const total = Object.values(least).reduce((sum, count) => sum + count, 0);
  const path = 1 + shape.images + (shape.has_extras ? 1 : 0) + 1;
  const bound_ms = Math.max(path * LATENCY_MS, (total / rate) * 1000);
  const what = `publishing, ${shape.shops} × ${shape.images} images${shape.has_extras ? ' with variations' : ''}, ${rate} calls a second`;
  return Object.entries(measured).map(([engine, values]) => ({
    what,
    details: describeCalls(made.at(-1), least),
    against: 'the bound',
    unit: 'ms',
    engine,
    ours: values,
    reference: values.map(() => bound_ms),
    target: { most: 1.1 },
    most_of_sqlite: 1.1,
    needs_quiet: true,
    alongside: { name: 'all in turn', values: naive },
  }));
}

/** The minimum number of calls by operation, for all shops together. */
function listLeastCalls({ shops, images, has_extras }) {
  return {
    createDraftListing: shops,
    uploadListingImage: shops * images,
    ...(has_extras && {
      uploadListingVideo: shops,
      updateListingInventory: shops,
      // No write returns the ids needed to attach photos to variations.
      getListingInventory: shops,
      updateListingProperty: shops * ATTRIBUTES.length,
      updateVariationImages: shops,
      // Reading the listing does not return these links.
      getListingVariationImages: shops,
    }),
    getListing: shops,
  };
}

function describeCalls(made, least) {
  const names = [...new Set([...Object.keys(least), ...Object.keys(made)])];
  const more = names
    .filter((name) => made[name] !== least[name])
    .map((name) => `${made[name] ?? 0} ${name} instead of ${least[name] ?? 0}`);
  const calls = names.map((name) => `${made[name] ?? 0} ${name}`).join(', ');
  return more.length === 0 ? `${calls}; each the least possible` : `${calls}; ${more.join(', ')}`;
}

async function upload({ invoke }) {
  const photos = [];
  for (const path of PHOTOS) photos.push({ url: (await invoke('file_upload', { path })).url });
  const video = await invoke('file_upload', { path: CLIP, type: 'video' });
  return { photos, video: { url: video.url } };
}

function buildRequest(targets, { photos, video }, { images, has_extras }) {
  return {
    state: 'publish',
    shops: targets.map(({ token: _token, ...target }) => target),
    listing: { ...MUG, listing_type: 'physical' },
    images: photos.slice(0, images),
    ...(has_extras && {
      videos: [video],
      category_attributes: Object.fromEntries(
        ATTRIBUTES.map(({ property_id, value_id, value }) => [
          property_id,
          { value_ids: [value_id], values: [value] },
        ]),
      ),
      variations: {
        properties: [{ property_id: PROPERTY.property_id, name: PROPERTY.property_name, values: GLAZES }],
        variation_images: {
          property: PROPERTY.property_name,
          mapping: Object.fromEntries(GLAZES.map((glaze, index) => [glaze, index])),
        },
      },
    }),
  };
}

/** Waits until the full per-second call allowance is available again, then times `run`, in ms. */
async function time(run) {
  await sleep(1_100);
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}
