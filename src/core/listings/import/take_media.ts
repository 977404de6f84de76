import { createHash } from 'node:crypto';
import type { Warning } from '../../../../schemas/job.js';
import { ClaimLostError, type ShopRef } from '../../ports/index.js';
import type { ListingSnapshot, MediaSources } from '../../ports/listing/snapshot.js';
import { fetchPatiently } from '../../uploads/fetch_patiently.js';
import type { Uploads } from '../../uploads/uploads.js';
import type { Hold } from '../jobs/hold.js';
import { type KnownMedia } from '../snapshot/to_request.js';
import { FORM_IMAGES, FORM_VIDEOS } from '../snapshot/shown_ids.js';

/** The stored photos and videos of a listing. `drop` deletes those that this import added. */
export type TakenMedia = { known: KnownMedia; warnings: Warning[]; drop(): Promise<void> };

/**
 * Fetches the photos and the video that a request can hold, one after the other, and stores them as uploads. Does
 * not fetch stored files again. A file that cannot be fetched is named by the marketplace's URL, with a warning.
 * Throws QUOTA_EXCEEDED, after deleting the files it added.
 * @param sources URLs of the files of a managed listing
 */
export async function takeMedia(
  uploads: Uploads,
  shop: ShopRef,
  snapshot: Pick<ListingSnapshot, 'images' | 'videos'>,
  sources: MediaSources | undefined,
  hold: Pick<Hold, 'signal' | 'checkStop' | 'pause'>,
): Promise<TakenMedia> {
  const fresh: string[] = [];
  const warnings: Warning[] = [];
  const known = { images: new Map<number, string>(), videos: new Map<number, string>() };
  const drop = () => uploads.dropFetched(shop.account_id, fresh);
  try {
    for (const [index, image] of snapshot.images.slice(0, FORM_IMAGES).entries()) {
      const { listing_image_id: id, url_fullxfull } = image;
      const url = await take({ type: 'image', id, url: url_fullxfull, path: `images[${index}].url` });
      if (url !== undefined) known.images.set(id, url);
    }
    for (const [index, { video_id, video_url }] of snapshot.videos.slice(0, FORM_VIDEOS).entries()) {
      if (video_url === null) continue;
      const url = await take({ type: 'video', id: video_id, url: video_url, path: `videos[${index}].url` });
      if (url !== undefined) known.videos.set(video_id, url);
    }
    return { known, warnings, drop };
  } catch (cause) {
    // The other process continues with the existing files.
    if (!(cause instanceof ClaimLostError)) await drop();
    throw cause;
  }

  type Wanted = { type: 'image' | 'video'; id: number; url: string; path: string };

  async function take({ type, id, url, path }: Wanted): Promise<string | undefined> {
    const here = sources?.[type === 'image' ? 'images' : 'videos'][String(id)];
    if (here !== undefined && (await uploads.findByUrl(shop.account_id, here))) return here;
    const upload_id = toUploadId(shop.shop_id, type, id);
    const source = { upload_id, type, url, named_by: 'marketplace' } as const;
    const fetched = await fetchPatiently(uploads, shop.account_id, source, hold);
    if ('problems' in fetched) {
      const reason = { code: 'media_not_kept_here' as const, params: { problems: fetched.problems } };
      warnings.push({ code: 'media_not_kept', fields: [path], reason });
      return undefined;
    }
    if (fetched.is_new) fresh.push(upload_id);
    return fetched.url;
  }
}

/**
 * The URLs of the request's media by the marketplace's ids, to store with the snapshot.
 * @param before the known URLs: the bytes of a digital file cannot be read back, so it is known by the URL it was
 * sent from
 */
export function toSources(
  snapshot: Pick<ListingSnapshot, 'images' | 'videos' | 'files'>,
  known: KnownMedia,
  before: MediaSources | undefined,
): MediaSources {
  const images = snapshot.images
    .slice(0, FORM_IMAGES)
    .map(({ listing_image_id, url_fullxfull }) => [
      String(listing_image_id),
      known.images.get(listing_image_id) ?? url_fullxfull,
    ]);
  const videos = snapshot.videos.slice(0, FORM_VIDEOS).flatMap(({ video_id, video_url }) => {
    const url = known.videos.get(video_id) ?? video_url;
    return url === null ? [] : [[String(video_id), url]];
  });
  const files = snapshot.files.flatMap(({ listing_file_id }) => {
    const url = before?.files[listing_file_id];
    return url === undefined ? [] : [[String(listing_file_id), url]];
  });
  return {
    images: Object.fromEntries(images),
    videos: Object.fromEntries(videos),
    files: Object.fromEntries(files),
  };
}

/** An upload id that is the same for the same photo, so that a resumed or repeated import stores it once. */
function toUploadId(shop_id: number, type: string, id: number): string {
  return `upl_${createHash('sha256').update(`${shop_id}/${type}/${id}`).digest('hex').slice(0, 22)}`;
}
