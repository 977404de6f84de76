import type { ListingRequest } from '../../../schemas/listing_request.js';
import type { Ports } from '../ports/index.js';
import type { Thumbnail, ThumbnailSource, ThumbnailWidth } from '../ports/index.js';
import { isUploadUrl, type Uploads } from './uploads.js';
import { listPlannedFiles } from '../listings/requests/planned_files.js';

/** An image of an account: an upload, or images[image] of a saved listing (0-based, as the caller sent them). */
type Picture = { upload_url: string } | { listing_pk: number; image: number };

export type Thumbnails = {
  /** Undefined without an image. Fetches only URLs that the account's own listing names. */
  find(account_id: string, picture: Picture, width: ThumbnailWidth): Promise<Thumbnail | undefined>;
};

export function createThumbnails(
  { store, media, log }: Pick<Ports, 'store' | 'media' | 'log'>,
  uploads: Uploads,
): Thumbnails {
  async function find(
    account_id: string,
    picture: Picture,
    width: ThumbnailWidth,
  ): Promise<Thumbnail | undefined> {
    const sources =
      'upload_url' in picture
        ? await listUploadSources(account_id, picture.upload_url)
        : await listListingSources(account_id, picture);
    for (const source of sources) {
      const thumbnail = await media.findThumbnail(source, width);
      if (thumbnail) return thumbnail;
    }
    return undefined;
  }

  async function listUploadSources(account_id: string, url: string): Promise<ThumbnailSource[]> {
    const upload = await uploads.findByUrl(account_id, url);
    return upload ? [{ sha256: upload.sha256 }] : [];
  }

  /** Sources in order: kept bytes, the URL that the caller gave, the marketplace's image. */
  async function listListingSources(
    account_id: string,
    { listing_pk, image }: { listing_pk: number; image: number },
  ): Promise<ThumbnailSource[]> {
    const listing = await store.listings.findListing(account_id, listing_pk);
    const url = listing?.request.images?.[image]?.url;
    if (!listing || url === undefined) return [];
    const job = await store.listings.findPublishJob(listing);
    const planned = listPlannedFiles(job).find((file) => file.url === url);
    const given = isUploadUrl(url)
      ? await listUploadSources(account_id, url)
      : [{ url, named_by: 'caller' as const }];
    const rank = findRank(listing.request, image);
    const shown = job?.results?.flatMap(({ images = [] }) => images).find((shown) => shown.rank === rank);
    return [
      ...(planned ? [{ sha256: planned.sha256 }] : []),
      ...given,
      ...(shown ? [{ url: shown.url_fullxfull, named_by: 'marketplace' as const }] : []),
    ];
  }

  return {
    async find(account_id, picture, width) {
      try {
        return await find(account_id, picture, width);
      } catch (error) {
        // A failed thumbnail must not fail the page.
        log.warn('a thumbnail could not be made', { error });
        return undefined;
      }
    },
  };
}

/** The rank that is sent, from 1: by the given ranks without gaps, otherwise by position. */
function findRank({ images = [] }: ListingRequest, image: number): number {
  const rank = images[image]?.rank;
  if (rank === undefined) return image + 1;
  return images.filter((other) => (other.rank ?? 0) <= rank).length;
}
