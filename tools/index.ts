import type { Operation } from '../src/core/operations/operation.js';
import shopsList from './stores_list.js';
import shopDetailsCached from './store_details_cached.js';
import storeSync from './store_sync.js';
import storeShippingProfilesLive from './store_shipping_profiles_live.js';
import storeReturnPoliciesLive from './store_return_policies_live.js';
import storeProcessingProfilesLive from './store_processing_profiles_live.js';
import storeShopSectionsLive from './store_shop_sections_live.js';
import storeListings from './store_listings.js';
import categoriesSearch from './categories_search.js';
import listingSchema from './listing_schema.js';
import listingsSearch from './listings_search.js';
import fileUpload from './file_upload.js';
import listingCreate from './listing_create.js';
import listingCreateStatus from './listing_create_status.js';
import listingsList from './listings_list.js';
import listingGet from './listing_get.js';
import batchCreate from './batch_create.js';
import batchesList from './batches_list.js';
import batchSheet from './batch_sheet.js';
import batchStart from './batch_start.js';
import batchCancel from './batch_cancel.js';
import batchUndo from './batch_undo.js';
import listingUndo from './listing_undo.js';
import listingUpdate from './listing_update.js';
import listingPublish from './listing_publish.js';
import listingImport from './listing_import.js';
import listingCopy from './listing_copy.js';
import listingDelete from './listing_delete.js';
import webhookEndpointSet from './webhook_endpoint_set.js';
import webhookEndpointGet from './webhook_endpoint_get.js';
import webhookTest from './webhook_test.js';
import webhooksDeliveries from './webhooks_deliveries.js';
import webhookDeliveryRetry from './webhook_delivery_retry.js';
import webhookEndpointDelete from './webhook_endpoint_delete.js';

/**
 * Every operation, in the order in which an assistant needs them: find the shops, learn the category, upload, create,
 * maintain.
 */
export const operations: readonly Operation[] = [
  shopsList,
  shopDetailsCached,
  storeSync,
  storeShippingProfilesLive,
  storeReturnPoliciesLive,
  storeProcessingProfilesLive,
  storeShopSectionsLive,
  storeListings,
  categoriesSearch,
  listingSchema,
  listingsSearch,
  fileUpload,
  listingCreate,
  listingCreateStatus,
  listingsList,
  listingGet,
  listingUpdate,
  listingUndo,
  listingPublish,
  listingImport,
  listingCopy,
  listingDelete,
  batchSheet,
  batchCreate,
  batchesList,
  batchStart,
  batchCancel,
  batchUndo,
  webhookEndpointSet,
  webhookEndpointGet,
  webhookTest,
  webhooksDeliveries,
  webhookDeliveryRetry,
  webhookEndpointDelete,
];
