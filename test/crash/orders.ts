import type { Chance } from './chance.js';
import type { Photo, Stock } from './world.js';

export type Order = {
  key: string;
  /** The request of listing_create. Its title is unique. */
  body: { state: 'publish' | 'active'; listing: { title: string }; shops: readonly object[] } & Record<
    string,
    unknown
  >;
  /** The state listing_publish brings it to afterwards. */
  afterwards?: 'active';
  /** The expected final photos of each of its listings: their SHA-256, in order. */
  wanted: { photos: string[]; products: number; state: 'draft' | 'active' };
};

/**
 * Everything a physical listing can have, active in two shops: it runs every step except that of digital
 * files.
 */
export function buildRichOrder({ targets, photos, video }: Stock, name: string): Order {
  const body = {
    shops: targets,
    state: 'active' as const,
    listing: { ...buildMug(name), tags: ['stoneware'] },
    images: photos.map(({ url }) => ({ url })),
    videos: [{ url: video }],
    personalization: { enabled: true, instructions: 'Name' },
    category_attributes: { 358: { value_ids: [2140], values: ['Yes'] } },
    variations: {
      ...buildVariations(),
      variation_images: { property: 'Glaze', mapping: { White: 0, Blue: 1 } },
    },
  };
  return { key: name, body, wanted: { photos: listHashes(photos), products: 4, state: 'active' } };
}

export function buildDigitalOrder({ targets, photos, pattern }: Stock, name: string): Order {
  const body = {
    shops: targets.map(({ shop_id }) => ({ shop_id })),
    state: 'active' as const,
    listing: { ...buildMug(name), listing_type: 'digital', when_made: '2020_2026' },
    images: photos.slice(0, 1).map(({ url }) => ({ url })),
    digital_files: [{ url: pattern, name: 'pattern.pdf' }],
  };
  return {
    key: name,
    body,
    wanted: { photos: listHashes(photos.slice(0, 1)), products: 1, state: 'active' },
  };
}

/** One to six photos, with or without variations, in one or two shops, draft or active. */
export function buildAnyOrder({ targets, photos }: Stock, name: string, chance: Chance): Order {
  const shown = photos.slice(0, 1 + chance.below(photos.length));
  const hasVariations = chance.below(2) === 0;
  const shops = chance.below(3) === 0 ? targets.slice(0, 1) : targets;
  const state = chance.below(2) === 0 ? ('active' as const) : ('publish' as const);
  const isTwoStep = state === 'publish' && chance.below(4) === 0;
  const body = {
    shops,
    state,
    listing: buildMug(name),
    images: shown.map(({ url }) => ({ url })),
    ...(hasVariations ? { variations: buildVariations() } : {}),
  };
  return {
    key: name,
    body,
    ...(isTwoStep ? { afterwards: 'active' as const } : {}),
    wanted: {
      photos: listHashes(shown),
      products: hasVariations ? 4 : 1,
      state: state === 'active' || isTwoStep ? 'active' : 'draft',
    },
  };
}

function listHashes(photos: readonly Photo[]): string[] {
  return photos.map(({ sha256 }) => sha256);
}

function buildMug(title: string) {
  return {
    title,
    // If descriptions are identical, people have to identify which of several listings a restored copy means.
    description: `A mug: ${title}.`,
    listing_type: 'physical',
    taxonomy_id: 1062,
    price: 24.5,
    quantity: 4,
    who_made: 'i_did',
    when_made: 'made_to_order',
    is_supply: false,
  };
}

function buildVariations() {
  return {
    properties: [
      { property_id: 513, name: 'Size', values: ['Small', 'Large'] },
      { property_id: 514, name: 'Glaze', values: ['White', 'Blue'] },
    ],
    offerings: ['Small', 'Large'].flatMap((size) =>
      ['White', 'Blue'].map((glaze) => ({ size, glaze, price: 20, quantity: 2 })),
    ),
  };
}
