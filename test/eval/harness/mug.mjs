import { join } from 'node:path';
import { FIXTURES } from './world.mjs';

/** The seller's facts about the product. The category is the result of categories_search for "mug". */
const LISTING = {
  title: 'Stoneware mug, oat glaze',
  description: 'Thrown by hand, holds 350 ml.',
  listing_type: 'physical',
  price: 24.5,
  quantity: 4,
  who_made: 'i_did',
  when_made: 'made_to_order',
  is_supply: false,
};

export const PHOTO = join(FIXTURES, 'mug-front.jpg');

/** Follows the server's instructions and builds the body of listing_create for this many shops. */
export async function prepareMug(assistant, { shops: count = 1, state = 'active' } = {}) {
  const { stores } = await assistant.ask('stores_list');
  const shops = [];
  for (const store of stores.slice(0, count)) {
    const shop_id = Number(store.shop_id);
    const { shipping_profiles, return_policies } = await assistant.ask('store_sync', { shop_id });
    shops.push({
      shop_id,
      shipping_profile_id: shipping_profiles[0].shipping_profile_id,
      return_policy_id: return_policies[0].return_policy_id,
    });
  }
  const { categories } = await assistant.ask('categories_search', { keywords: 'mug' });
  const { url } = await assistant.ask('file_upload', { path: PHOTO });
  return {
    state,
    shops,
    listing: { ...LISTING, taxonomy_id: categories[0].category_id },
    images: [{ url }],
  };
}
