import type { DraftListing, Inventory, ListingQuestion } from '../../src/core/ports/index.js';

/** A listing in wire format with all fields the client reads, and one it does not know. */
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
    updated_timestamp: 1_790_000_500,
    ending_timestamp: 1_800_000_000,
    language: 'en-US',
    featured_rank: -1,
    production_partners: [{ production_partner_id: 4, partner_name: 'Kiln', location: 'Turku' }],
    skus: ['S&amp;P'],
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

const usd = (amount: number) => ({ amount, divisor: 100, currency_code: 'USD' });

/** A paid and shipped order in wire format with all fields the client reads, and some it does not. */
export function buildWireReceipt(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    receipt_id: 3_720_000_001,
    seller_user_id: 77,
    buyer_user_id: 90_114_201,
    buyer_email: 'anna@example.com',
    name: 'Anna Weiß &amp; Co',
    first_line: 'Lindenweg 4',
    second_line: '',
    city: 'Leipzig',
    state: null,
    zip: '04109',
    country_iso: 'DE',
    formatted_address: 'Anna\nLindenweg 4',
    status: 'Completed',
    is_paid: true,
    is_shipped: true,
    create_timestamp: 1,
    created_timestamp: 1_790_000_000,
    updated_timestamp: 1_790_009_000,
    message_from_buyer: 'It&#39;s a gift',
    is_gift: true,
    gift_message: '',
    gift_sender: 'Otto',
    grandtotal: usd(5_595),
    subtotal: usd(5_000),
    total_price: usd(5_000),
    total_shipping_cost: usd(595),
    total_tax_cost: usd(0),
    total_vat_cost: null,
    discount_amt: usd(0),
    gift_wrap_price: { amount: 300, divisor: 1, currency_code: 'JPY' },
    shipments: [
      {
        receipt_shipping_id: 9,
        shipment_notification_timestamp: 1_790_009_000,
        carrier_name: 'dhl-germany',
        tracking_code: '00340',
      },
    ],
    refunds: [{ amount: usd(500), created_timestamp: 1_790_008_000, reason: 'chip', status: 'x' }],
    transactions: [
      {
        transaction_id: 4_650_000_001,
        listing_id: 1_500_000_000_001,
        product_id: 21_800_000_001,
        title: 'Salt &amp; Pepper Mug',
        sku: 'MUG-L',
        quantity: 2,
        price: usd(2_500),
        is_digital: false,
        paid_timestamp: 1_790_000_060,
        shipped_timestamp: null,
        variations: [
          {
            property_id: 513,
            value_id: 4,
            formatted_name: 'Size',
            formatted_value: 'Large',
            question_id: null,
          },
          {
            property_id: 54,
            value_id: null,
            formatted_name: 'Name',
            formatted_value: 'Zoë',
            question_id: 7,
          },
        ],
        shipping_method: null,
        shipping_upgrade: 'Express',
        expected_ship_date: 1_790_100_000,
      },
    ],
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

/** A text question that does not exist yet. */
export function buildQuestion(fields: Partial<ListingQuestion> = {}): ListingQuestion {
  return {
    question_id: null,
    question_type: 'text_input',
    question_text: 'Personalization',
    instructions: null,
    required: false,
    max_allowed_characters: 30,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
    ...fields,
  };
}

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

function offering(amount: number, quantity: number, isEnabled: boolean) {
  return {
    offering_id: amount,
    quantity,
    is_enabled: isEnabled,
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
