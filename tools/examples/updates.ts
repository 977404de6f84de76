import { SHOP } from './shops.js';
import { JOB_ID } from './taken.js';

/* The mug of listing_create, changed in its shop and back. */

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
      message: 'Changes 1 shop as diff shows, for free. Nothing was written.',
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
    summary: 'The new price, in its shop',
    input: { listing_pk: 1, changes: { listing: { price: 26 } } },
    output: toJob(24.5, 26),
  },
];

export const listingUndoExamples = [
  {
    summary: 'The price as it was before',
    input: { listing_pk: 1 },
    output: toJob(26, 24.5),
  },
];

function toJob(before: number, after: number) {
  return {
    status: 'completed' as const,
    job_id: JOB_ID.value,
    listing_pk: 1,
    message: 'Done in 1 of 1 shop.',
    dashboard_url: '/dashboard/listings/1',
    poll_url: `/api/v1/listings/create/${JOB_ID.value}`,
    shops_count: 1,
    created_at: '2026-11-02T10:02:11.020Z',
    completed_at: '2026-11-02T10:02:12.310Z',
    results: [
      {
        ...identity,
        status: 'ok' as const,
        listing_url: 'https://www.etsy.com/listing/1512300000001/stoneware-mug-oat-glaze',
        price: after,
        diff: [{ field: 'listing.price', before, after }],
        warnings: [],
      },
    ],
  };
}
