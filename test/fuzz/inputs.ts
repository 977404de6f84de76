import type { Operation } from '../../src/core/operations/operation.js';
import { buildInputSchema } from '../../src/transports/json_schema.js';
import type { JsonSchema } from '../../src/transports/schema_conversion.js';
import { buildText, buildValue, mutate, type Tree } from './mutate.js';
import type { Random } from './random.js';

/** Objects in a running service that inputs can name. */
export type World = {
  targets: readonly { [key: string]: Tree }[];
  images: readonly string[];
  pdf: string;
  clip: string;
  listing_pks: readonly number[];
  job_ids: readonly string[];
};

/** Valid bodies of listing_create, each of a different kind. */
export function buildSeeds({ targets, images, pdf, clip }: World): Tree[] {
  const listing = {
    title: 'Stoneware mug & saucer: 50% off + free ™',
    description: '<p>A mug.</p>\n5 < 6 🍵',
    listing_type: 'physical',
    taxonomy_id: 1062,
    price: 24.5,
    quantity: 4,
    who_made: 'i_did',
    when_made: 'made_to_order',
    is_supply: false,
    tags: ['mug', "mother's-day", '陶器'],
    materials: ['clay'],
    styles: ['rustic'],
    sku: 'M-1',
    item_weight: 0.4,
    item_weight_unit: 'kg',
    processing_min: 1,
    processing_max: 2,
  };
  const shops = targets as Tree[];
  const photos = images.map((url, index) => ({ url, rank: index + 1 }));
  const variations = {
    properties: [
      { property_id: 513, name: 'Size', values: ['Small', 'Large'] },
      { property_id: 200, name: 'Farbe', values: ['Red', 'Blue'] },
    ],
    offerings: [
      { size: 'Small', farbe: 'Red', price: 24.5, quantity: 3, sku: 'S-R', enabled: true },
      { size: 'Large', farbe: 'Blue', price: 30, quantity: 1, sku: 'L-B', enabled: false },
    ],
    variation_images: { property: 'FARBE', mapping: { Red: 0, Blue: 1 } },
  };
  const digital = { ...listing, listing_type: 'digital', when_made: '2020_2026' };
  return [
    { shops, listing, dry_run: true },
    { state: 'draft', shops: shops.slice(0, 1), listing },
    { state: 'publish', shops, listing, images: photos, variations, dry_run: true },
    {
      state: 'active',
      shops: shops.slice(0, 1),
      listing,
      images: [{ url: images[0] ?? '' }],
      videos: [{ url: clip }],
      personalization: { enabled: true, is_required: true, instructions: 'Name', max_chars: 20 },
      category_attributes: {
        357: { value_ids: [2104], values: ['Stoneware'] },
        185: { value_ids: [5201], scale_id: 331 },
      },
      dry_run: true,
    },
    {
      state: 'publish',
      shops,
      listing: digital,
      digital_files: [{ url: pdf, name: 'one.pdf' }],
      dry_run: true,
    },
    { shops, listing, images: photos, variations, dry_run: true },
  ];
}

export function buildBody(seeds: readonly Tree[], random: Random): Tree {
  return random.chance(0.02) ? buildValue(random) : mutate(random.pick(seeds), random);
}

/** An input for any operation: each field valid, nearly valid, or something else. */
export function buildInput(operation: Operation, world: World, random: Random): Tree {
  if (random.chance(0.03)) return buildValue(random);
  const schema = buildInputSchema(operation);
  const input: { [key: string]: Tree } = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    const isRequired = schema.required?.includes(name) ?? false;
    if (random.chance(isRequired ? 0.95 : 0.5)) input[name] = buildField(name, field, world, random);
  }
  return random.chance(0.5) ? mutate(input, random) : input;
}

function buildField(name: string, schema: JsonSchema, world: World, random: Random): Tree {
  if (random.chance(0.25)) return buildValue(random);
  const known = KNOWN[name]?.(world, random);
  if (known !== undefined && random.chance(0.3)) return known;
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as Tree[]);
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return random.pick([0, 1, 2, 25, 100, 101, 12000, 12001, 999_999_999, -1, 1.5, 1e300, 2 ** 53]);
    case 'boolean':
      return random.chance(0.5);
    case 'array':
      return [buildField('', (schema['items'] ?? {}) as JsonSchema, world, random)];
    default:
      return buildText(random);
  }
}

const KNOWN: Record<string, ((world: World, random: Random) => Tree | undefined) | undefined> = {
  shop_id: ({ targets }, random) => random.pick(targets)['shop_id'],
  listing_pk: ({ listing_pks }, random) => random.pick(listing_pks),
  job_id: ({ job_ids }, random) => random.pick(job_ids),
  category_id: (_world, random) => random.pick([1062, 1035, 1238]),
  url: (_world, random) => `http://127.0.0.1:1/${String(random.int(1e6))}`,
  keywords: (_world, random) => random.pick(['mug', 'linen towel', '器']),
  file: (_world, random) =>
    Buffer.from(random.pick(['GIF89a', '%PDF-1.7', 'PK\u0003\u0004', 'text'])).toString('base64'),
  filename: (_world, random) => random.pick(['a.gif', 'a.pdf', 'a.zip', 'a.txt', '../a']),
  path: (_world, random) => random.pick(['/etc/passwd', '/', '..', '/tmp/none']),
};
