import { LISTING_FEE, MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';
import { JOB_ID, UPLOAD_URL } from './taken.js';
import { SHOP } from './shops.js';
import { MUGS, MUGS_PATH } from './categories.js';

/* A mug, saved, published and activated in the first shop of the sandbox. */

const shops = [
  { shop_id: Number(SHOP.shop_id), shipping_profile_id: 211740301, return_policy_id: 1142500101 },
];

const mug = {
  title: 'Stoneware mug, oat glaze',
  description: 'Thrown by hand, holds 350 ml.',
  listing_type: 'physical' as const,
  taxonomy_id: MUGS,
  price: 24.5,
  quantity: 4,
  who_made: 'i_did' as const,
  when_made: 'made_to_order',
  is_supply: false,
};

const published = {
  state: 'publish' as const,
  shops,
  listing: mug,
  images: [{ url: UPLOAD_URL.value }],
};

const names = {
  'shops[0].shop_id': SHOP.shop_name,
  'shops[0].shipping_profile_id': 'Small parcel',
  'shops[0].return_policy_id': 'returns and exchanges within 30 days',
  'listing.taxonomy_id': MUGS_PATH,
};

const processingDefaulted = {
  code: 'processing_profile_defaulted',
  level: 'note' as const,
  fields: ['shops[0].processing_profile_id'],
  reason: 'No processing profile was sent; 1386200000101 (1 - 2 days) is used.',
};

const created_at = '2026-11-02T09:31:04.120Z';
const completed_at = '2026-11-02T09:31:11.480Z';

const shopResult = {
  shop_id: SHOP.shop_id,
  shop_name: SHOP.shop_name,
  status: 'ok' as const,
  listing_id: 1512300000001,
  listing_url: 'https://www.etsy.com/listing/1512300000001/stoneware-mug-oat-glaze',
  currency_code: 'USD',
  price: 24.5,
  images: [
    {
      listing_image_id: 6410000203,
      url_fullxfull: 'https://i.etsystatic.com/48213377/il_fullxfull.6410000203.jpg',
      rank: 1,
    },
  ],
  videos: [],
  warnings: [processingDefaulted],
};

const job = {
  status: 'completed' as const,
  job_id: JOB_ID.value,
  listing_pk: 1,
  dashboard_url: '/dashboard/listings/1',
  poll_url: `/api/v1/listings/create/${JOB_ID.value}`,
  shops_count: 1,
  created_at,
  completed_at,
  results: [shopResult],
};

const saved = {
  listing_pk: 1,
  title: mug.title,
  status: 'published' as const,
  state: 'publish' as const,
  shop_ids: [SHOP.shop_id],
  shops: [
    {
      shop_id: SHOP.shop_id,
      shop_name: SHOP.shop_name,
      listing_id: 1512300000001,
      state: 'draft' as const,
      seen_at: completed_at,
      ends_at: null,
      price: 24.5,
      quantity: 4,
      currency_code: 'USD',
    },
  ],
  job_id: JOB_ID.value,
  dashboard_url: '/dashboard/listings/1',
  created_at,
  updated_at: completed_at,
};

const sizesAndGlazes = {
  properties: [
    { property_id: 513, name: 'Size', values: ['Small', 'Large'] },
    { property_id: 514, name: 'Glaze', values: ['Oat', 'Sea'] },
  ],
  offerings: [
    { size: 'Small', glaze: 'Oat', price: 22, quantity: 3 },
    { size: 'Small', glaze: 'Sea', price: 22, quantity: 3 },
    { size: 'Large', glaze: 'Oat', price: 29.5, quantity: 2 },
    { size: 'Large', glaze: 'Sea', price: 29.5, quantity: 2 },
  ],
};

export const listingCreateExamples = [
  {
    summary: 'A draft on the marketplace, with a photo; free',
    input: published,
    output: job,
    taken: { UPLOAD_URL },
  },
  {
    summary: 'A draft that is saved here and touches no shop',
    input: { state: 'draft' as const, shops, listing: { ...mug, title: 'Stoneware mug, sea glaze' } },
    output: {
      status: 'draft' as const,
      listing_pk: 2,
      message:
        'Saved as a draft; nothing is on the marketplace. listing_get shows it, listing_publish publishes it. The seller sees it at http://localhost:3000/dashboard/listings/2 while the server runs (npm start, or listing-service serve).',
      dashboard_url: '/dashboard/listings/2',
      shops_count: 1,
      names,
      created_at,
      warnings: [processingDefaulted],
    },
  },
  {
    summary: 'What two sizes in two glazes would need and cost; nothing is written',
    input: {
      ...published,
      state: 'active' as const,
      listing: { ...mug, title: 'Stoneware mug in two sizes' },
      variations: sizesAndGlazes,
      dry_run: true,
    },
    output: {
      status: 'valid' as const,
      message: 'Everything is right. Nothing was saved or sent.',
      shops_count: 1,
      names,
      warnings: [],
      shops: [{ ...SHOP, price: 22, marketplace_calls: 6, warnings: [processingDefaulted] }],
      marketplace_calls: 6,
      cost_usd: MARKETPLACE_FACTS.listing_fee_usd,
    },
    taken: { UPLOAD_URL },
  },
];

export const listingCreateStatusExamples = [
  {
    summary: 'The result of a job',
    input: { job_id: JOB_ID.value },
    output: job,
    taken: { JOB_ID },
  },
];

export const listingsListExamples = [
  {
    summary: 'The newest saved listings',
    input: { limit: 10 },
    output: { total: 1, limit: 10, offset: 0, listings: [saved] },
  },
];

export const listingGetExamples = [
  {
    summary: 'One saved listing',
    input: { listing_pk: 1 },
    output: {
      ...saved,
      request: published,
      names,
      warnings: [],
      job: { job_id: JOB_ID.value, status: 'completed' as const },
      results: [shopResult],
    },
  },
];

export const listingPublishExamples = [
  {
    summary: `Puts listing 1 live; costs ${LISTING_FEE} a shop`,
    input: { listing_pk: 1, state: 'active' as const },
    output: {
      ...job,
      results: [{ ...shopResult, activated: true, activation_cost_usd: MARKETPLACE_FACTS.listing_fee_usd }],
    },
  },
];

export const listingDeleteExamples = [
  {
    summary: 'Removes a saved draft',
    input: { listing_pk: 2 },
    output: { listing_pk: 2, deleted: true as const },
  },
];
