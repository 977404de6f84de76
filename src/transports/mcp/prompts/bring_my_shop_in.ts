import type { Prompt } from './prompt.js';

export const bringMyShopIn: Prompt = {
  name: 'bring_my_shop_in',
  title: 'Bring my shop in',
  description: 'Takes over the listings that a shop has already, so that they can be changed and copied.',
  needs: ['stores_list', 'store_listings', 'listing_import', 'listing_create_status'],
  arguments: [
    {
      name: 'shops',
      description: 'Shop names, with commas between them; all shops when left out',
      required: false,
      completes: 'shops',
    },
  ],
  build: ({
    shops,
  }) => `Take over the listings of ${shops ? `these shops: ${shops}` : 'all of my shops'}. This is free and changes nothing in a shop.

1. Call stores_list. For each shop call store_listings with limit 100, and go on with offset until you have all that are active; then ask me whether drafts and listings that are off sale, sold out or expired should come too.
2. Tell me how many there are, and how many have a listing_pk, which are here already.
3. Call listing_import for each shop with up to 100 listings a call. If the answer is processing, call listing_create_status with its job_id until it has ended.
4. If the same product is in several shops, by title and SKUs, show me the pairs and ask. For each yes call listing_import for the second one with join set to the listing_pk of the first, before it is taken over by itself.
5. Tell me what was taken over, what was not and why, and in one line for each kind of warning what stays in the shop alone.`,
};
