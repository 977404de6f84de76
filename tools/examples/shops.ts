import type { Example } from '../../src/core/operations/operation.js';

/* The first of the sandbox's two shops, as the operations about shops return it. Lists are shortened. */

export const SHOP = {
  shop_id: '48213377',
  shop_name: 'ClayAndOak',
  currency_code: 'USD',
} as const;

const shopUrl = 'https://www.etsy.com/shop/ClayAndOak';
const last_synced_at = '2026-11-02T09:30:00.000Z';

const lists = {
  shipping_profiles: [
    {
      shipping_profile_id: 211740301,
      title: 'Small parcel',
      min_processing_days: null,
      max_processing_days: null,
      primary_cost: '5.95',
      currency_code: 'USD',
    },
  ],
  shop_sections: [{ shop_section_id: 40118201, title: 'Mugs', rank: 1, active_listing_count: 6 }],
  return_policies: [
    { return_policy_id: 1142500101, accepts_returns: true, accepts_exchanges: true, return_deadline: 30 },
  ],
  processing_profiles: [
    {
      readiness_state_id: 1386200000101,
      readiness_state: 'ready_to_ship',
      min_processing_days: 1,
      max_processing_days: 2,
      processing_days_display_label: '1 - 2 days',
    },
  ],
  production_partners: [
    {
      production_partner_id: 4410221,
      partner_name: 'Blue Ridge Sawmill',
      location: 'North Carolina, US',
    },
  ],
};

const { shop_id, shop_name } = SHOP;

const buildExamples = <Output>(summary: string, output: Output): Example<{ shop_id: number }, Output>[] => [
  { summary, input: { shop_id: Number(shop_id) }, output },
];

export const storesListExamples = [
  {
    summary: 'The shops of this account',
    input: {},
    output: {
      stores: [
        { ...SHOP, url: shopUrl, last_synced_at },
        {
          shop_id: '52660914',
          shop_name: 'NordLinen',
          currency_code: 'EUR',
          url: 'https://www.etsy.com/shop/NordLinen',
          last_synced_at,
        },
      ],
    },
  },
];

export const storeDetailsExamples = buildExamples('What is kept of a shop', {
  ...SHOP,
  shipping_from_country_iso: 'US',
  listing_active_count: 6,
  review_average: 4.91,
  review_count: 618,
  is_vacation: false,
  url: shopUrl,
  last_synced_at,
  shipping_profiles: lists.shipping_profiles,
  shop_sections: lists.shop_sections,
  return_policies: null,
  processing_profiles: null,
  production_partners: null,
});

export const storeSyncExamples = buildExamples('All ids that a listing takes', {
  ...SHOP,
  last_synced_at,
  ...lists,
});

export const shippingProfilesExamples = buildExamples('Shipping profiles as they are now', {
  shop_id,
  shop_name,
  shipping_profiles: lists.shipping_profiles,
});

export const returnPoliciesExamples = buildExamples('Return policies as they are now', {
  shop_id,
  shop_name,
  return_policies: lists.return_policies,
});

export const processingProfilesExamples = buildExamples('Processing profiles as they are now', {
  shop_id,
  shop_name,
  processing_profiles: lists.processing_profiles,
});

export const shopSectionsExamples = buildExamples('Sections as they are now', {
  shop_id,
  shop_name,
  shop_sections: lists.shop_sections,
});

export const storeListingsExamples = [
  {
    summary: 'What is on sale in the first shop',
    input: { shop_id: Number(shop_id), limit: 10 },
    output: {
      shop_id,
      total: 1,
      limit: 10,
      offset: 0,
      complete: true,
      listings: [
        {
          listing_id: 1512300000001,
          title: 'Stoneware mug, oat glaze',
          state: 'active',
          price: 24.5,
          currency_code: 'USD',
          quantity: 4,
          skus: ['MUG-OAT'],
          listing_url: 'https://www.etsy.com/listing/1512300000001/stoneware-mug-oat-glaze',
          image_url: 'https://i.etsystatic.com/48213377/il_fullxfull.6410000203.jpg',
          updated_at: '2026-11-02T09:31:11.000Z',
          ends_at: '2027-03-02T09:31:11.000Z',
          listing_pk: 1,
        },
      ],
    },
  },
];
