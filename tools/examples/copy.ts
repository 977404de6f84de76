/* The mug of the other examples, in the second shop of the sandbox, which sells in euros. */

export const listingCopyExamples = [
  {
    summary: 'Saved for a second shop, at its own price; nothing is sent',
    input: {
      listing_pk: 1,
      shops: [
        {
          shop_id: 52660914,
          price: 23,
          shipping_profile_id: 223915882,
          return_policy_id: 1158300402,
        },
      ],
      state: 'draft' as const,
    },
    output: {
      status: 'draft' as const,
      listing_pk: 1,
      message: 'Saved for 1 more shop; nothing was sent. listing_publish makes it there.',
      dashboard_url: '/dashboard/listings/1',
      shops_count: 2,
      created_at: '2026-11-02T09:31:04.120Z',
    },
  },
];
