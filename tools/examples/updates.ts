import { SHOP } from './stores.js';

/* The mug of listing_create, changed: once as a saved draft, once in its shop. */

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
