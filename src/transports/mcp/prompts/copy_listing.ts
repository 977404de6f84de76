import { MONEY, type Prompt } from './prompt.js';

export const copyListing: Prompt = {
  name: 'copy_listing',
  title: 'Copy a listing to my other shops',
  description:
    'Takes a saved listing and lists the same product in other shops, with what each shop needs of its own.',
  needs: ['stores_list', 'store_sync', 'listings_list', 'listing_get', 'listing_create'],
  arguments: [
    { name: 'listing', description: 'Its title, or its listing_pk', required: true },
    {
      name: 'shops',
      description: 'Names of the shops to copy to, with commas between them; all others when left out',
      required: false,
      completes: 'shops',
    },
  ],
  build: ({
    listing,
    shops,
  }) => `Copy the listing ${listing} to ${shops ? `these shops: ${shops}` : 'all of my shops that do not have it'}.

1. Find it with listings_list, and read it with listing_get. If several fit, ask me which one.
2. Call stores_list, and store_sync for each shop to copy to. Choose that shop's own shipping profile, return policy, processing profile and section that come closest to the ones of the original, and show me the choice.
3. If a shop has another currency, ask me for its price; it is not converted.
4. Call listing_create with the same listing and photos, these shops only, and dry_run true. Correct everything it names.
5. Call it with the same state as the original. ${MONEY}
6. Tell me for each shop what exists there now, with its address, and every warning.`,
};
