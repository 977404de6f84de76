import { z } from 'zod/v3';
import { limitParameter } from './page.js';
import { shopQuery } from './shop.js';

/** States that a shop's listings can be listed by: the marketplace lists no removed ones. */
const shopListingState = z.enum(['active', 'draft', 'inactive', 'sold_out', 'expired']);

export const shopListingsQuery = shopQuery.extend({
  state: shopListingState.default('active'),
  keywords: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .optional()
    .describe('All must appear in title, tags or SKUs; reads at most 2,000 listings'),
  limit: limitParameter,
  offset: z.number().int().min(0).max(12_000).default(0),
});

const storeListing = z.object({
  listing_id: z.number().int(),
  title: z.string(),
  state: z.string(),
  price: z.number(),
  currency_code: z.string(),
  quantity: z.number().int(),
  skus: z.array(z.string()),
  listing_url: z.string(),
  image_url: z.string().nullable(),
  updated_at: z.string(),
  ends_at: z.string().nullable(),
  listing_pk: z.number().int().nullable().describe('Null if it is not managed here'),
});
export type ShopListing = z.infer<typeof storeListing>;

export const shopListingsPage = z.object({
  shop_id: z.string(),
  total: z.number().int(),
  limit: z.number().int(),
  offset: z.number().int(),
  complete: z.boolean().describe('False: only the newest 2,000 were searched for the keywords'),
  listings: z.array(storeListing),
});
