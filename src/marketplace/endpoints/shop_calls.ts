import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { ShopRef } from '../../core/ports/records.js';

/** Each of a shop's calls, made by the client that is chosen for the shop at the time of the call. */
export function routeShopCalls(pick: (shop: ShopRef) => Promise<ShopCalls>): ShopCalls {
  const route =
    (name: keyof ShopCalls) =>
    async (shop: ShopRef, ...rest: unknown[]): Promise<unknown> => {
      const client = await pick(shop);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what comes after the shop is passed on as it came
      return (client[name] as (shop: ShopRef, ...rest: unknown[]) => Promise<unknown>)(shop, ...rest);
    };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- NAMES does not compile with one missing
  const names = Object.keys(NAMES) as (keyof ShopCalls)[];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is what its name says
  return Object.fromEntries(names.map((name) => [name, route(name)])) as unknown as ShopCalls;
}

const NAMES: Record<keyof ShopCalls, true> = {
  getShop: true,
  listShippingProfiles: true,
  listShopSections: true,
  listReturnPolicies: true,
  listProcessingProfiles: true,
  listProductionPartners: true,
  createDraftListing: true,
  getListing: true,
  getListingDetails: true,
  listShopListings: true,
  listListingsById: true,
  listListings: true,
  updateListing: true,
  activateListing: true,
  takeOffSale: true,
  uploadImage: true,
  updateImage: true,
  deleteImage: true,
  listImages: true,
  uploadVideo: true,
  attachVideo: true,
  deleteVideo: true,
  listVideos: true,
  uploadFile: true,
  attachFile: true,
  deleteFile: true,
  listFiles: true,
  updateInventory: true,
  getInventory: true,
  getInventoryWithListing: true,
  listInventoriesById: true,
  updateAttribute: true,
  deleteAttribute: true,
  listAttributes: true,
  updateVariationImages: true,
  listVariationImages: true,
  updateQuestions: true,
  deletePersonalization: true,
  writeTranslation: true,
  listReceipts: true,
  getReceipt: true,
};
