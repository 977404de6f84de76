/** How a body is encoded. The marketplace is particular: forms for most, JSON for three, multipart for files. */
export type Encoding = 'none' | 'form' | 'json' | 'multipart';

export type WireOperation = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Under /v3/application, with {parameters}. */
  path: string;
  encoding: Encoding;
  /** Whether the call acts for a seller, whose token goes with it. Reads of public things need the key alone. */
  needs_token: boolean;
};

/** Every call this client makes, by the operationId of the marketplace's published document. */
export const OPERATIONS = {
  getShop: read('/shops/{shop_id}'),
  getShopShippingProfiles: read('/shops/{shop_id}/shipping-profiles'),
  getShopSections: read('/shops/{shop_id}/sections'),
  getShopReturnPolicies: read('/shops/{shop_id}/policies/return'),
  getShopReadinessStateDefinitions: read('/shops/{shop_id}/readiness-state-definitions'),
  getShopProductionPartners: read('/shops/{shop_id}/production-partners'),

  getSellerTaxonomyNodes: publicRead('/seller-taxonomy/nodes'),
  getPropertiesByTaxonomyId: publicRead('/seller-taxonomy/nodes/{taxonomy_id}/properties'),
  findAllListingsActive: publicRead('/listings/active'),

  createDraftListing: write('POST', '/shops/{shop_id}/listings', 'form'),
  getListing: read('/listings/{listing_id}'),
  getListingsByShop: read('/shops/{shop_id}/listings'),
  updateListing: write('PATCH', '/shops/{shop_id}/listings/{listing_id}', 'form'),

  uploadListingImage: write('POST', '/shops/{shop_id}/listings/{listing_id}/images', 'multipart'),
  getListingImages: read('/listings/{listing_id}/images'),
  uploadListingVideo: write('POST', '/shops/{shop_id}/listings/{listing_id}/videos', 'multipart'),
  getListingVideos: read('/listings/{listing_id}/videos'),
  uploadListingFile: write('POST', '/shops/{shop_id}/listings/{listing_id}/files', 'multipart'),
  getAllListingFiles: read('/shops/{shop_id}/listings/{listing_id}/files'),

  updateListingInventory: write('PUT', '/listings/{listing_id}/inventory', 'json'),
  getListingInventory: read('/listings/{listing_id}/inventory'),
  updateListingProperty: write(
    'PUT',
    '/shops/{shop_id}/listings/{listing_id}/properties/{property_id}',
    'form',
  ),
  getListingProperties: read('/shops/{shop_id}/listings/{listing_id}/properties'),
  updateVariationImages: write('POST', '/shops/{shop_id}/listings/{listing_id}/variation-images', 'json'),
  updateListingPersonalization: write(
    'POST',
    '/shops/{shop_id}/listings/{listing_id}/personalization',
    'json',
  ),
} as const satisfies Record<string, WireOperation>;

export type OperationId = keyof typeof OPERATIONS;

export function isWrite(operation_id: OperationId): boolean {
  return OPERATIONS[operation_id].method !== 'GET';
}

function read(path: string) {
  return { method: 'GET', path, encoding: 'none', needs_token: true } as const;
}

function publicRead(path: string) {
  return { method: 'GET', path, encoding: 'none', needs_token: false } as const;
}

function write<Method extends 'POST' | 'PUT' | 'PATCH', Body extends Encoding>(
  method: Method,
  path: string,
  encoding: Body,
) {
  return { method, path, encoding, needs_token: true } as const;
}
