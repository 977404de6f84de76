import type { Marketplace, ShopRef } from '../core/ports/marketplace.js';
import type { MediaFile } from '../core/ports/marketplace_listing.js';
import type { Call, CallRequest } from './call.js';
import { buildMultipartBody } from './multipart.js';
import { OPERATIONS } from './operations.js';
import * as wire from './wire.js';

/** Images, videos and digital files of a listing. */
export function createMedia(
  call: Call,
): Pick<
  Marketplace,
  'uploadImage' | 'listImages' | 'uploadVideo' | 'listVideos' | 'uploadFile' | 'listFiles'
> {
  return {
    // Without a rank each image would become the first.
    uploadImage: (shop, listing_id, file, rank, options) =>
      call(
        OPERATIONS.uploadListingImage,
        buildUpload(shop, listing_id, { rank: String(rank) }, 'image', file),
        (body) => wire.parseWire(wire.listingImage, body),
        options,
      ),
    listImages: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingImages,
        { shop, path: { listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.listingImage), body).results,
        options,
      ),
    uploadVideo: (shop, listing_id, file, options) =>
      call(
        OPERATIONS.uploadListingVideo,
        buildUpload(shop, listing_id, { name: file.filename }, 'video', file),
        (body) => wire.parseWire(wire.listingVideo, body),
        options,
      ),
    listVideos: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingVideos,
        { shop, path: { listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.listingVideo), body).results,
        options,
      ),
    uploadFile: (shop, listing_id, file, rank, options) =>
      call(
        OPERATIONS.uploadListingFile,
        buildUpload(shop, listing_id, { name: file.filename, rank: String(rank) }, 'file', file),
        (body) => wire.parseWire(wire.listingFile, body),
        options,
      ),
    listFiles: (shop, listing_id, options) =>
      call(
        OPERATIONS.getAllListingFiles,
        { shop, path: { shop_id: shop.shop_id, listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.listingFile), body).results,
        options,
      ),
  };
}

function buildUpload(
  shop: ShopRef,
  listing_id: number,
  fields: Readonly<Record<string, string>>,
  name: string,
  file: MediaFile,
): CallRequest {
  const path = { shop_id: shop.shop_id, listing_id };
  return { shop, path, body: buildMultipartBody(fields, { name, file }) };
}
