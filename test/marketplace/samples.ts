import type { DraftListing, Inventory } from '../../src/core/ports/index.js';

/** A listing of the wire with what the client reads, and a field it does not know. */
export function buildWireListing(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    listing_id: 1_500_000_000_001,
    state: 'draft',
    title: 'Salt &amp; Pepper &quot;Mug&quot;',
    description: 'It&#39;s a mug.',
    url: 'https://www.etsy.com/listing/1500000000001/mug',
    listing_type: 'physical',
    taxonomy_id: 1062,
    price: { amount: 1999, divisor: 100, currency_code: 'USD' },
    quantity: 4,
    created_timestamp: 1_790_000_000,
    who_made: 'i_did',
    when_made: 'made_to_order',
    is_supply: false,
    tags: ['mug', 'salt &amp; pepper'],
    materials: ['stoneware'],
    style: ['Rustic'],
    shipping_profile_id: 11,
    return_policy_id: null,
    is_customizable: true,
    is_taxable: true,
    should_auto_renew: false,
    item_weight: 350,
    item_weight_unit: 'g',
    a_field_of_next_year: { deep: true },
    ...fields,
  };
}

export const DRAFT: DraftListing = {
  title: 'Speckled Mug & Saucer = 100%',
  description: 'Line one\nline two – ünïcode ☕',
  listing_type: 'physical',
  taxonomy_id: 1062,
  price: 34.5,
  quantity: 5,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
  shipping_profile_id: 11,
  return_policy_id: undefined,
  readiness_state_id: 1_386_200_000_101,
  production_partner_ids: [3, 4],
  tags: ['mug', 'hand made'],
  materials: [],
  styles: ['Rustic', 'Boho'],
  should_auto_renew: true,
  item_weight: 0.35,
  item_weight_unit: 'kg',
};

export const INVENTORY: Inventory = {
  products: [
    {
      sku: 'MUG-S',
      property_values: [
        { property_id: 513, property_name: 'Size', scale_id: null, value_ids: [], values: ['Small'] },
      ],
      price: 19.99,
      quantity: 3,
      is_enabled: true,
      readiness_state_id: 1_386_200_000_101,
    },
    {
      sku: 'MUG-L',
      property_values: [
        { property_id: 513, property_name: 'Size', scale_id: null, value_ids: [], values: ['Large'] },
      ],
      price: 24,
      quantity: 0,
      is_enabled: false,
      readiness_state_id: 1_386_200_000_101,
    },
  ],
  price_on_property: [513],
  quantity_on_property: [513],
  sku_on_property: [513],
  readiness_state_on_property: [],
};

export function buildWireInventory(): Record<string, unknown> {
  return {
    products: [
      {
        product_id: 1,
        sku: 'MUG-S',
        is_deleted: false,
        property_values: [size(9001, 'Small')],
        offerings: [offering(1999, 3, true)],
      },
      {
        product_id: 2,
        sku: 'MUG-L',
        is_deleted: false,
        property_values: [size(9002, 'Large')],
        offerings: [{ ...offering(1, 1, true), is_deleted: true }, offering(2400, 0, false)],
      },
      { product_id: 3, sku: 'OLD', is_deleted: true, property_values: [], offerings: [] },
    ],
    price_on_property: [513],
    quantity_on_property: [513],
    sku_on_property: [513],
    readiness_state_on_property: [],
  };
}

function offering(amount: number, quantity: number, is_enabled: boolean) {
  return {
    offering_id: amount,
    quantity,
    is_enabled,
    is_deleted: false,
    price: { amount, divisor: 100, currency_code: 'USD' },
    readiness_state_id: 1_386_200_000_101,
  };
}

function size(value_id: number, value: string) {
  return {
    property_id: 513,
    property_name: 'Size',
    scale_id: null,
    scale_name: null,
    value_ids: [value_id],
    values: [value],
  };
}
