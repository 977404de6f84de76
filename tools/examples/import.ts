import { SHOP } from './shops.js';

/* One of the listings that the first shop of the sandbox starts with. */

const listing_id = 4_310_220_117;

export const listingImportExamples = [
  {
    summary: 'Take over a listing that was made by hand',
    input: { shop_id: Number(SHOP.shop_id), listing_ids: [listing_id] },
    output: {
      job_id: 'job_kT2mWq8ar3jjb9QcuBjZQm',
      status: 'completed' as const,
      message: 'Imported or refreshed 1 of 1; nothing was changed in the shop.',
      poll_url: '/api/v1/listings/create/job_kT2mWq8ar3jjb9QcuBjZQm',
      created_at: '2026-11-02T09:31:04.120Z',
      completed_at: '2026-11-02T09:31:05.480Z',
      results: [
        {
          listing_id,
          status: 'imported' as const,
          listing_pk: 2,
          title: 'Stoneware mug, oat glaze',
          warnings: [],
        },
      ],
    },
  },
];
