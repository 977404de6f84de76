import type { ShopCalls } from '../../core/ports/shop_calls.js';
import type { ShopRef } from '../../core/ports/records.js';
import type { MediaFile } from '../../core/ports/marketplace_listing.js';
import type { Randomness } from '../../core/ports/world.js';
import type { Call, CallRequest } from '../http/call.js';
import { toImage } from '../map/details.js';
import { buildMultipartBody } from '../http/multipart.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';

/** Images, videos and digital files of a listing. */
export function createMedia(
  call: Call,
  randomness: Randomness,
): Pick<
  ShopCalls,
  | 'uploadImage'
  | 'updateImage'
  | 'deleteImage'
  | 'listImages'
  | 'uploadVideo'
  | 'attachVideo'
  | 'deleteVideo'
  | 'listVideos'
  | 'uploadFile'
  | 'attachFile'
  | 'deleteFile'
  | 'listFiles'
> {
  /** @param part omitted when attaching or changing something that the marketplace already has */
  function buildRequest(
    shop: ShopRef,
    listing_id: number,
    fields: Readonly<Record<string, string>>,
    part?: { name: string; file: MediaFile },
  ): CallRequest {
    const path = { shop_id: shop.shop_id, listing_id };
    return { shop, path, body: buildMultipartBody(randomness, fields, part) };
  }

  return {
    // Without a rank, each image would become the first.
    uploadImage: (shop, listing_id, file, { rank, alt_text }, options) =>
      call(
        OPERATIONS.uploadListingImage,
        buildRequest(
          shop,
          listing_id,
          { rank: String(rank), ...(alt_text !== undefined && { alt_text }) },
          { name: 'image', file },
        ),
        parseImage,
        options,
      ),
    updateImage: (shop, listing_id, { listing_image_id, rank, alt_text }, options) =>
      call(
        OPERATIONS.uploadListingImage,
        buildRequest(shop, listing_id, {
          listing_image_id: String(listing_image_id),
          rank: String(rank),
          alt_text,
        }),
        parseImage,
        options,
      ),
    deleteImage: (shop, listing_id, listing_image_id, options) =>
      call(
        OPERATIONS.deleteListingImage,
        { shop, path: { shop_id: shop.shop_id, listing_id, listing_image_id } },
        () => undefined,
        options,
      ),
    listImages: (shop, listing_id, options) =>
      call(
        OPERATIONS.getListingImages,
        { shop, path: { listing_id } },
        (body) => wire.parseWire(wire.listOf(wire.listingImage), body).results.map(toImage),
        options,
      ),
    uploadVideo: (shop, listing_id, file, options) =>
      call(
        OPERATIONS.uploadListingVideo,
        buildRequest(shop, listing_id, { name: file.filename }, { name: 'video', file }),
        (body) => wire.parseWire(wire.listingVideo, body),
        options,
      ),
    attachVideo: (shop, listing_id, video_id, options) =>
      call(
        OPERATIONS.uploadListingVideo,
        buildRequest(shop, listing_id, { video_id: String(video_id) }),
        (body) => wire.parseWire(wire.listingVideo, body),
        options,
      ),
    deleteVideo: (shop, listing_id, video_id, options) =>
      call(
        OPERATIONS.deleteListingVideo,
        { shop, path: { shop_id: shop.shop_id, listing_id, video_id } },
        () => undefined,
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
        buildRequest(shop, listing_id, { name: file.filename, rank: String(rank) }, { name: 'file', file }),
        (body) => wire.parseWire(wire.listingFile, body),
        options,
      ),
    attachFile: (shop, listing_id, listing_file_id, rank, options) =>
      call(
        OPERATIONS.uploadListingFile,
        buildRequest(shop, listing_id, { listing_file_id: String(listing_file_id), rank: String(rank) }),
        (body) => wire.parseWire(wire.listingFile, body),
        options,
      ),
    deleteFile: (shop, listing_id, listing_file_id, options) =>
      call(
        OPERATIONS.deleteListingFile,
        { shop, path: { shop_id: shop.shop_id, listing_id, listing_file_id } },
        () => undefined,
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

function parseImage(body: unknown) {
  return toImage(wire.parseWire(wire.listingImage, body));
}
