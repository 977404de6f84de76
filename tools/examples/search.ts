/* The marketplace's own fields pass through unchanged; a few of them are shown. */
export const listingsSearchExamples = [
  {
    summary: 'The first listing of a search',
    input: { keywords: 'stoneware mug', limit: 1 },
    output: {
      count: 18,
      results: [
        {
          listing_id: 4310220117,
          shop_id: 48213377,
          title: 'Speckled White Stoneware Mug, Handmade Coffee Cup, 12 oz',
          state: 'active',
          price: { amount: 3400, divisor: 100, currency_code: 'USD' },
          taxonomy_id: 1062,
        },
      ],
      limit: 1,
      offset: 0,
    },
  },
];
