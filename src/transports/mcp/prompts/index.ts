import type { Prompt } from './prompt.js';

const SHOPS = {
  name: 'shops',
  description: 'Shop names, separated by commas; all shops if omitted',
  required: false,
  completes: 'shops',
} as const;

const LISTING = { name: 'listing', description: 'Its title, or its listing_pk', required: true } as const;

/** In listing order. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'list_from_photos',
    title: 'List a product from a folder of photos',
    description: 'Looks at the photos, writes the listing, checks it, and saves it as a draft for review.',
    skill: 'list-a-product',
    arguments: [
      { name: 'folder', description: 'Where the photos are', required: true },
      SHOPS,
      {
        name: 'category',
        description: 'The product, in the marketplace’s terms',
        required: false,
        completes: 'category',
      },
      { name: 'price', description: 'In the currency of the shop', required: false },
    ],
    open: ({ folder, shops, category, price }) =>
      `List the product whose photos are in ${folder}, in ${nameShops(shops)}.${
        category ? ` Its category is ${category}.` : ''
      }${price ? ` Its price is ${price}.` : ''}`,
  },
  {
    name: 'bring_my_shop_in',
    title: 'Bring my shop in',
    description: 'Imports the listings that a shop already has, so that they can be changed and copied.',
    skill: 'bring-a-shop-in',
    arguments: [SHOPS],
    open: ({ shops }) => `Import the listings of ${nameShops(shops)}.`,
  },
  {
    name: 'change_price',
    title: 'Change a price everywhere',
    description: 'Changes the price of a listing, or of one of its variations, in all shops that have it.',
    skill: 'change-many',
    needs: ['listings_list', 'listing_get', 'listing_update'],
    arguments: [
      LISTING,
      { name: 'price', description: "The new price, in each shop's own currency", required: true },
      { name: 'variation', description: 'A SKU or option values; all if omitted', required: false },
    ],
    open: ({ listing, price, variation }) =>
      `Change the price of ${variation ? `${variation} of ` : ''}one listing, ${listing}, to ${price} in all of my shops that have it.`,
  },
  {
    name: 'change_many',
    title: 'Change many listings at once',
    description: 'Plans one change over many listings, shows every difference, makes it, and can undo it.',
    skill: 'change-many',
    arguments: [
      {
        name: 'change',
        description:
          'Such as: raise prices by 10 percent; add the tag gift to all mugs; take the winter things off sale',
        required: true,
      },
      SHOPS,
    ],
    open: ({ change, shops }) => `${change}, in ${nameShops(shops)}.`,
  },
  {
    name: 'copy_listing',
    title: 'Copy a listing to my other shops',
    description:
      'Takes a saved or imported listing and lists the same product in other shops, with the profiles that each shop needs.',
    skill: 'copy-to-other-shops',
    arguments: [
      LISTING,
      {
        ...SHOPS,
        description: 'Names of the shops to copy to, separated by commas; all others if omitted',
      },
    ],
    open: ({ listing, shops }) =>
      `Copy the listing ${listing} to ${nameShops(shops, 'all of my shops that do not have it')}.`,
  },
  {
    name: 'explain_failure',
    title: 'Why did this fail?',
    description: 'Finds out what went wrong with a listing, and explains it and the fix in plain words.',
    skill: 'why-did-it-fail',
    arguments: [
      {
        name: 'job',
        description:
          'A job_id, or the title of the listing; if omitted, the incomplete one, or a choice among several',
        required: false,
      },
    ],
    open: ({ job }) =>
      job ? `Find out why this failed: ${job}` : 'Find out why my incomplete listing failed.',
  },
  {
    name: 'prepare_gpsr',
    title: 'Prepare listings for GPSR',
    description: 'Adds the product safety details that the European Union requires.',
    skill: 'prepare-gpsr',
    arguments: [SHOPS],
    open: ({ shops }) => `Add the product safety details (GPSR) to the listings of ${nameShops(shops)}.`,
  },
];

function nameShops(shops: string | undefined, all = 'all of my shops'): string {
  return shops ? `these shops: ${shops}` : all;
}
