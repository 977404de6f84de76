import { SHOP } from './stores.js';

/* The mug of listing_create, changed in its shop, and back. */

const identity = {
  shop_id: SHOP.shop_id,
  shop_name: SHOP.shop_name,
  currency_code: 'USD',
  listing_id: 1512300000001,
};

export const listingUpdateExamples = [
  {
    summary: 'What a new price would change, with nothing written',
    input: { listing_pk: 1, changes: { listing: { price: 26 } }, dry_run: true },
    output: {
      status: 'valid' as const,
      message: 'Changes 1 shop as diff tells, for free. Nothing was written.',
      shops_count: 1,
      shops: [
        {
          ...identity,
          status: 'ok' as const,
          diff: [{ field: 'listing.price', before: 24.5, after: 26 }],
          marketplace_calls: 3,
          warnings: [],
        },
      ],
      marketplace_calls: 3,
      cost_usd: 0,
      warnings: [],
    },
  },
  {
    summary: 'The new price, in every shop that has listing 1',
    input: { listing_pk: 1, changes: { listing: { price: 26 } } },
    output: {
      status: 'completed' as const,
      job_id: 'job_7Zc0Yw4dLq2mVt9RbXkE1s',
      listing_pk: 1,
      message: 'Done in 1 of 1 shop.',
      dashboard_url: '/dashboard/listings/1',
      poll_url: '/api/v1/listings/create/job_7Zc0Yw4dLq2mVt9RbXkE1s',
      shops_count: 1,
      created_at: '2026-11-02T09:40:12.310Z',
      completed_at: '2026-11-02T09:40:13.020Z',
      results: [
        {
          shop_id: SHOP.shop_id,
          shop_name: SHOP.shop_name,
          status: 'ok' as const,
          listing_id: identity.listing_id,
          listing_url: 'https://www.etsy.com/listing/1512300000001/stoneware-mug-oat-glaze',
          currency_code: 'USD',
          price: 26,
          diff: [{ field: 'listing.price', before: 24.5, after: 26 }],
          warnings: [],
        },
      ],
    },
  },
];

export const listingUndoExamples = [
  {
    summary: 'What taking the last update back would change, with nothing written',
    input: { listing_pk: 1, dry_run: true },
    output: {
      status: 'valid' as const,
      message: 'Changes 1 shop as diff tells, for free. Nothing was written.',
      shops_count: 1,
      shops: [
        {
          ...identity,
          status: 'ok' as const,
          diff: [{ field: 'listing.price', before: 26, after: 24.5 }],
          marketplace_calls: 3,
          warnings: [],
        },
      ],
      marketplace_calls: 3,
      cost_usd: 0,
      warnings: [],
    },
  },
];
