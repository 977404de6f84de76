import type { Route } from '../requests/call.js';
import { ACCOUNT_ROUTES } from './account.js';
import { IMAGE_ROUTES } from './images.js';
import { INVENTORY_ROUTES } from './inventory.js';
import { LISTING_ROUTES } from './listings.js';
import { SEARCH_ROUTES } from './search.js';
import { SHOP_ROUTES } from './shops.js';
import { TAXONOMY_ROUTES } from './taxonomy.js';
import { FILE_ROUTES } from './files.js';
import { PERSONALIZATION_ROUTES } from './personalization.js';
import { PROPERTY_ROUTES } from './properties.js';
import { RECEIPT_ROUTES } from './receipts.js';
import { TRANSLATION_ROUTES } from './translations.js';
import { VARIATION_IMAGE_ROUTES } from './variation_images.js';
import { VIDEO_ROUTES } from './videos.js';

/** All operations of the marketplace that the sandbox has. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...SHOP_ROUTES,
  ...TAXONOMY_ROUTES,
  ...LISTING_ROUTES,
  ...SEARCH_ROUTES,
  ...INVENTORY_ROUTES,
  ...IMAGE_ROUTES,
  ...FILE_ROUTES,
  ...PERSONALIZATION_ROUTES,
  ...PROPERTY_ROUTES,
  ...RECEIPT_ROUTES,
  ...TRANSLATION_ROUTES,
  ...VARIATION_IMAGE_ROUTES,
  ...VIDEO_ROUTES,
];
