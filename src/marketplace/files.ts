import type { ListingFile, ListingImage, ListingVideo, Marketplace } from '../core/ports/index.js';
import type { Send } from './call.js';
import { encodeMultipart } from './encode.js';
import { createReader, toNumberOrNull, toStringOrNull, type Reader, type Wire } from './map/read.js';

type Files = Pick<
  Marketplace,
  'uploadImage' | 'listImages' | 'uploadVideo' | 'listVideos' | 'uploadFile' | 'listFiles'
>;

export function createFileCalls(send: Send): Files {
  const read = createReader(false);
  const written = createReader(true);
  return {
    async uploadImage(shop, listing_id, file, rank, options) {
      const body = encodeMultipart('image', file, { rank });
      const answer = await send({
        operation_id: 'uploadListingImage',
        shop,
        path: { listing_id },
        body,
        options,
      });
      return toImage(written, written.object(answer));
    },
    async listImages(shop, listing_id, options) {
      const answer = await send({ operation_id: 'getListingImages', shop, path: { listing_id }, options });
      return read.results(answer).map((wire) => toImage(read, wire));
    },
    async uploadVideo(shop, listing_id, file, options) {
      const body = encodeMultipart('video', file, { name: file.filename });
      const answer = await send({
        operation_id: 'uploadListingVideo',
        shop,
        path: { listing_id },
        body,
        options,
      });
      return toVideo(written, written.object(answer));
    },
    async listVideos(shop, listing_id, options) {
      const answer = await send({ operation_id: 'getListingVideos', shop, path: { listing_id }, options });
      return read.results(answer).map((wire) => toVideo(read, wire));
    },
    async uploadFile(shop, listing_id, file, rank, options) {
      const body = encodeMultipart('file', file, { name: file.filename, rank });
      const answer = await send({
        operation_id: 'uploadListingFile',
        shop,
        path: { listing_id },
        body,
        options,
      });
      return toFile(written, written.object(answer));
    },
    async listFiles(shop, listing_id, options) {
      const answer = await send({ operation_id: 'getAllListingFiles', shop, path: { listing_id }, options });
      return read.results(answer).map((wire) => toFile(read, wire));
    },
  };
}

/** Sizes, colours and, for a while, addresses are empty until the marketplace has looked at the picture. */
function toImage(read: Reader, wire: Wire): ListingImage {
  return {
    listing_image_id: read.number(wire, 'listing_image_id'),
    url_fullxfull: toStringOrNull(wire['url_fullxfull']) ?? '',
    rank: toNumberOrNull(wire['rank']) ?? 0,
  };
}

function toVideo(read: Reader, wire: Wire): ListingVideo {
  return { video_id: read.number(wire, 'video_id'), video_url: toStringOrNull(wire['video_url']) };
}

function toFile(read: Reader, wire: Wire): ListingFile {
  return {
    listing_file_id: read.number(wire, 'listing_file_id'),
    filename: toStringOrNull(wire['filename']) ?? '',
    rank: toNumberOrNull(wire['rank']) ?? 0,
    size_bytes: toNumberOrNull(wire['size_bytes']) ?? 0,
  };
}
