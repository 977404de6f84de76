import type {
  Inventory,
  ListingImage,
  ListingQuestion,
  MarketplaceListing,
} from '../../../../src/core/ports/index.js';
import type { ShopChanges } from '../../../../src/core/ports/listing/changes.js';
import type { ChangeAction, ShopPlan } from '../../../../src/core/ports/listing/plan.js';
import type { ListingSnapshot } from '../../../../src/core/ports/listing/snapshot.js';

/** A complete listing in a shop: two glazes, two sizes, photos of the glazes, two translations. */
export function buildSnapshot(more: Partial<ListingSnapshot> = {}): ListingSnapshot {
  return {
    listing: LISTING,
    images: [1, 2, 3].map((rank) => buildImage(100 + rank, rank)),
    videos: [],
    translations: ['de', 'fr'].map((language) => ({
      language,
      title: `Becher ${language}`,
      description: `Ein Becher ${language}`,
      tags: ['becher'],
    })),
    questions: [],
    inventory: buildInventory(),
    attributes: [{ property_id: 200, value_ids: [1], values: ['Blue'] }],
    variation_images: [
      { property_id: 513, value_id: 11, image_id: 101, value: 'Sand' },
      { property_id: 513, value_id: 12, image_id: 102, value: 'Moss' },
    ],
    files: [],
    ...more,
  };
}

const LISTING: MarketplaceListing = {
  listing_id: 9,
  shop_id: 1,
  state: 'active',
  title: 'A mug',
  description: 'Thrown by hand.',
  url: 'https://shop.example/9',
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 20,
  currency_code: 'USD',
  quantity: 20,
  created_at_epoch_s: 1,
  updated_at_epoch_s: 2,
  ends_at_epoch_s: 3,
  language: 'en',
  featured_rank: null,
  production_partner_ids: [],
  skus: ['A', 'B', 'C', 'D'],
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
  tags: ['mug', 'stoneware'],
  materials: [],
  styles: [],
  shipping_profile_id: 12,
  return_policy_id: 13,
  shop_section_id: null,
  is_customizable: false,
  is_taxable: true,
  should_auto_renew: false,
  item_weight: null,
  item_weight_unit: null,
  item_length: null,
  item_width: null,
  item_height: null,
  item_dimensions_unit: null,
};

export function buildImage(listing_image_id: number, rank: number): ListingImage {
  return {
    listing_image_id,
    url_fullxfull: `https://img.example/${listing_image_id}.jpg`,
    rank,
    created_at_epoch_s: 1,
    width: 10,
    height: 10,
    alt_text: `Photo ${listing_image_id}`,
  };
}

export function buildInventory(): Inventory {
  const rows = [
    ['Sand', 'Small', 'A', 20],
    ['Sand', 'Large', 'B', 30],
    ['Moss', 'Small', 'C', 20],
    ['Moss', 'Large', 'D', 30],
  ] as const;
  return {
    products: rows.map(([glaze, size, sku, price]) => ({
      sku,
      property_values: [
        toValue(513, 'Glaze', glaze, glaze === 'Sand' ? 11 : 12),
        toValue(514, 'Size', size, size === 'Small' ? 21 : 22),
      ],
      price,
      quantity: 5,
      is_enabled: true,
      readiness_state_id: 7,
    })),
    price_on_property: [514],
    quantity_on_property: [],
    sku_on_property: [513, 514],
    readiness_state_on_property: [],
  };
}

export function buildOnly(more: Partial<Inventory['products'][number]> = {}): Inventory {
  const product = {
    sku: 'A',
    property_values: [],
    price: 20,
    quantity: 5,
    is_enabled: true,
    readiness_state_id: 7,
  };
  return {
    products: [{ ...product, ...more }],
    price_on_property: [],
    quantity_on_property: [],
    sku_on_property: [],
    readiness_state_on_property: [],
  };
}

function toValue(property_id: number, property_name: string, value: string, value_id: number) {
  return { property_id, property_name, scale_id: null, value_ids: [value_id], values: [value] };
}

export function buildQuestion(more: Partial<ListingQuestion> = {}): ListingQuestion {
  return {
    question_id: 1,
    question_type: 'text_input',
    question_text: 'Personalization',
    instructions: 'Your name',
    required: false,
    max_allowed_characters: 256,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
    ...more,
  };
}

export function buildUpdate(
  changes: ShopChanges,
  on_drift: 'refuse' | 'overwrite' = 'refuse',
): ShopPlan<ChangeAction> {
  return {
    shop_id: 1,
    shop_name: 'ClayAndOak',
    currency_code: 'USD',
    listing_id: 9,
    action: { kind: 'change', changes, on_drift },
    names: {},
    warnings: [],
  };
}

/** An inventory in which one product has other values. */
export function withProduct(
  inventory: Inventory,
  sku: string,
  more: Partial<Inventory['products'][number]>,
): Inventory {
  const products = inventory.products.map((one) => (one.sku === sku ? { ...one, ...more } : one));
  return { ...inventory, products };
}
