import { MONEY, type Prompt } from './prompt.js';

export const copyListing: Prompt = {
  name: 'copy_listing',
  title: 'Copy a listing to my other shops',
  description:
    'Takes a saved or imported listing and lists the same product in other shops, with what each shop needs of its own.',
  needs: ['stores_list', 'listings_list', 'listing_get', 'listing_copy'],
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
2. Call stores_list for the shops and their currencies. If a shop has another currency, ask me for its price; it is not converted.
3. Call listing_copy with these shops and dry_run true. Leave profiles, policy and section out: they are matched by name and terms. Where the answer says that something cannot be matched, show me the choices that it names, and use the one I choose. Correct everything else it names.
4. Show me what is not copied, and ask whether to save it (draft), make a draft on the marketplace (publish) or go live (active). ${MONEY}
5. Call listing_copy again without dry_run, and tell me for each shop what exists there now, with its address, and every warning.`,
};
