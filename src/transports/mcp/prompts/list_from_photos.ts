import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import { MONEY, type Prompt } from './prompt.js';

export const listFromPhotos: Prompt = {
  name: 'list_from_photos',
  title: 'List a product from a folder of photos',
  description: 'Looks at the photos, writes the listing, checks it, and saves it as a draft to be read.',
  needs: [
    'stores_list',
    'store_sync',
    'categories_search',
    'listing_schema',
    'file_upload',
    'listing_create',
  ],
  arguments: [
    { name: 'folder', description: 'Where the photos are', required: true },
    {
      name: 'shops',
      description: 'Shop names, with commas between them; all shops when left out',
      required: false,
      completes: 'shops',
    },
    {
      name: 'category',
      description: 'What the product is, as the marketplace calls it',
      required: false,
      completes: 'category',
    },
    { name: 'price', description: 'In the currency of the shop', required: false },
  ],
  build: ({ folder, shops, category, price }) => `List the product whose photos are in ${folder}.

1. Call file_upload with that folder as its path: it answers with the names in it. Look at every photo if you can see the files; else ask me to show them to you here, or to describe them. Say what the product is, what it is made of, its size if it can be seen, and what you cannot tell.
2. Call stores_list. Use ${shops ? `these shops: ${shops}` : 'all of them'}. Call store_sync for each, for its shipping profile, return policy and section.
3. ${category ? `The category is ${category}.` : 'Choose the category that fits best, and say why.'} Call categories_search for its id and listing_schema with that id, and fill in the attributes that the photos show.
4. Call file_upload for each photo, with type image, the best one first.
5. Write a title of at most ${MARKETPLACE_FACTS.title_max_chars} characters, a description that says only what is true, and up to ${MARKETPLACE_FACTS.tags_per_listing} tags. ${price ? `The price is ${price}.` : 'Ask me for the price.'} Ask me for whatever else you do not know; do not guess materials, sizes or who made it.
6. Call listing_create with dry_run true, and correct everything it names. Then call it with state draft.
7. Show me the title, the description, the tags and the warnings, and ask whether to publish. ${MONEY}`,
};
