import { changePrice } from './change_price.js';
import { bringMyShopIn } from './bring_my_shop_in.js';
import { copyListing } from './copy_listing.js';
import { explainFailure } from './explain_failure.js';
import { listFromPhotos } from './list_from_photos.js';
import type { Prompt } from './prompt.js';

/** In the order in which they are listed. */
export const PROMPTS: readonly Prompt[] = [
  listFromPhotos,
  bringMyShopIn,
  changePrice,
  copyListing,
  explainFailure,
];
