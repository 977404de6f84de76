import type { Lane } from '../limits/pacing.js';

/**
 * One operation of Etsy's Open API v3, as in its document. Paths are below /v3/application. `scope` is the
 * one that the token needs; null if the application's key is enough. Only GET is retried.
 */
export type Operation = {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  scope: string | null;
  /** Sent with the shop's token although the key is enough: data of a draft is shown only to its owner. */
  is_owner_view?: true;
  body?: 'form' | 'json' | 'multipart';
  /**
   * A person or program waits for its answer: it goes before publishing work and has a reserved share of the
   * limit.
   */
  is_interactive?: true;
  /** Background work: it goes after everything else, and not at all if few of the day's calls are left. */
  is_background?: true;
};

export const OPERATIONS = {
  ping: { name: 'ping', method: 'GET', path: '/openapi-ping', scope: null, is_interactive: true },
  tokenScopes: {
    name: 'tokenScopes',
    method: 'POST',
    path: '/scopes',
    scope: null,
    body: 'form',
    is_interactive: true,
  },
  getMe: { name: 'getMe', method: 'GET', path: '/users/me', scope: 'shops_r', is_interactive: true },

  getShop: { name: 'getShop', method: 'GET', path: '/shops/{shop_id}', scope: null, is_interactive: true },
  getShopShippingProfiles: {
    name: 'getShopShippingProfiles',
    method: 'GET',
    path: '/shops/{shop_id}/shipping-profiles',
    scope: 'shops_r',
    is_interactive: true,
  },
  getShopSections: {
    name: 'getShopSections',
    method: 'GET',
    path: '/shops/{shop_id}/sections',
    scope: null,
    is_interactive: true,
  },
  getShopReturnPolicies: {
    name: 'getShopReturnPolicies',
    method: 'GET',
    path: '/shops/{shop_id}/policies/return',
    scope: null,
    is_interactive: true,
  },
  getShopReadinessStateDefinitions: {
    name: 'getShopReadinessStateDefinitions',
    method: 'GET',
    path: '/shops/{shop_id}/readiness-state-definitions',
    scope: 'shops_r',
    is_interactive: true,
  },
  getShopProductionPartners: {
    name: 'getShopProductionPartners',
    method: 'GET',
    path: '/shops/{shop_id}/production-partners',
    scope: 'shops_r',
    is_interactive: true,
  },

  getSellerTaxonomyNodes: {
    name: 'getSellerTaxonomyNodes',
    method: 'GET',
    path: '/seller-taxonomy/nodes',
    scope: null,
    is_interactive: true,
  },
  getPropertiesByTaxonomyId: {
    name: 'getPropertiesByTaxonomyId',
    method: 'GET',
    path: '/seller-taxonomy/nodes/{taxonomy_id}/properties',
    scope: null,
    is_interactive: true,
  },
  findAllListingsActive: {
    name: 'findAllListingsActive',
    method: 'GET',
    path: '/listings/active',
    scope: null,
    is_interactive: true,
  },

  createDraftListing: {
    name: 'createDraftListing',
    method: 'POST',
    path: '/shops/{shop_id}/listings',
    scope: 'listings_w',
    body: 'form',
  },
  getListing: {
    name: 'getListing',
    method: 'GET',
    path: '/listings/{listing_id}',
    scope: null,
    is_owner_view: true,
  },
  getListingsByShop: {
    name: 'getListingsByShop',
    method: 'GET',
    path: '/shops/{shop_id}/listings',
    scope: 'listings_r',
  },
  getListingsByListingIds: {
    name: 'getListingsByListingIds',
    method: 'GET',
    path: '/listings/batch',
    scope: null,
    is_owner_view: true,
    is_background: true,
  },
  updateListing: {
    name: 'updateListing',
    method: 'PATCH',
    path: '/shops/{shop_id}/listings/{listing_id}',
    scope: 'listings_w',
    body: 'form',
  },

  uploadListingImage: {
    name: 'uploadListingImage',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/images',
    scope: 'listings_w',
    body: 'multipart',
  },
  getListingImages: {
    name: 'getListingImages',
    method: 'GET',
    path: '/listings/{listing_id}/images',
    scope: null,
    is_owner_view: true,
  },
  deleteListingImage: {
    name: 'deleteListingImage',
    method: 'DELETE',
    path: '/shops/{shop_id}/listings/{listing_id}/images/{listing_image_id}',
    scope: 'listings_w',
  },
  uploadListingVideo: {
    name: 'uploadListingVideo',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/videos',
    scope: 'listings_w',
    body: 'multipart',
  },
  getListingVideos: {
    name: 'getListingVideos',
    method: 'GET',
    path: '/listings/{listing_id}/videos',
    scope: null,
    is_owner_view: true,
  },
  deleteListingVideo: {
    name: 'deleteListingVideo',
    method: 'DELETE',
    path: '/shops/{shop_id}/listings/{listing_id}/videos/{video_id}',
    scope: 'listings_w',
  },
  uploadListingFile: {
    name: 'uploadListingFile',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/files',
    scope: 'listings_w',
    body: 'multipart',
  },
  getAllListingFiles: {
    name: 'getAllListingFiles',
    method: 'GET',
    path: '/shops/{shop_id}/listings/{listing_id}/files',
    scope: 'listings_r',
  },
  deleteListingFile: {
    name: 'deleteListingFile',
    method: 'DELETE',
    path: '/shops/{shop_id}/listings/{listing_id}/files/{listing_file_id}',
    scope: 'listings_w',
  },

  updateListingInventory: {
    name: 'updateListingInventory',
    method: 'PUT',
    path: '/listings/{listing_id}/inventory',
    scope: 'listings_w',
    body: 'json',
  },
  getListingInventory: {
    name: 'getListingInventory',
    method: 'GET',
    path: '/listings/{listing_id}/inventory',
    scope: 'listings_r',
  },
  getListingsInventoryByListingIds: {
    name: 'getListingsInventoryByListingIds',
    method: 'GET',
    path: '/listings/batch/inventory',
    scope: 'listings_r',
    is_background: true,
  },
  updateVariationImages: {
    name: 'updateVariationImages',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/variation-images',
    scope: 'listings_w',
    body: 'json',
  },
  getListingVariationImages: {
    name: 'getListingVariationImages',
    method: 'GET',
    path: '/shops/{shop_id}/listings/{listing_id}/variation-images',
    scope: null,
    is_owner_view: true,
  },
  updateListingProperty: {
    name: 'updateListingProperty',
    method: 'PUT',
    path: '/shops/{shop_id}/listings/{listing_id}/properties/{property_id}',
    scope: 'listings_w',
    body: 'form',
  },
  deleteListingProperty: {
    name: 'deleteListingProperty',
    method: 'DELETE',
    path: '/shops/{shop_id}/listings/{listing_id}/properties/{property_id}',
    scope: 'listings_w',
  },
  getListingProperties: {
    name: 'getListingProperties',
    method: 'GET',
    path: '/shops/{shop_id}/listings/{listing_id}/properties',
    scope: null,
    is_owner_view: true,
  },
  updateListingPersonalization: {
    name: 'updateListingPersonalization',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/personalization',
    scope: 'listings_w',
    body: 'json',
  },
  deleteListingPersonalization: {
    name: 'deleteListingPersonalization',
    method: 'DELETE',
    path: '/shops/{shop_id}/listings/{listing_id}/personalization',
    scope: 'listings_w',
  },
  createListingTranslation: {
    name: 'createListingTranslation',
    method: 'POST',
    path: '/shops/{shop_id}/listings/{listing_id}/translations/{language}',
    scope: 'listings_w',
    body: 'form',
  },
  updateListingTranslation: {
    name: 'updateListingTranslation',
    method: 'PUT',
    path: '/shops/{shop_id}/listings/{listing_id}/translations/{language}',
    scope: 'listings_w',
    body: 'form',
  },

  getShopReceipts: {
    name: 'getShopReceipts',
    method: 'GET',
    path: '/shops/{shop_id}/receipts',
    scope: 'transactions_r',
    is_background: true,
  },
  getShopReceipt: {
    name: 'getShopReceipt',
    method: 'GET',
    path: '/shops/{shop_id}/receipts/{receipt_id}',
    scope: 'transactions_r',
    is_background: true,
  },
} as const satisfies Record<string, Operation>;

/** Whether the shop's token is sent with it. */
export function needsToken(operation: Operation): boolean {
  return operation.scope !== null || operation.is_owner_view === true;
}

/** The order of calls if the limits leave no room for all. */
export function getLane({ is_interactive, is_background }: Operation): Lane {
  if (is_interactive) return 'interactive';
  return is_background ? 'background' : 'work';
}
