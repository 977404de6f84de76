import type { MediaChange } from '../../ports/listing/changes.js';
import type { Target } from '../../ports/listing/target.js';
import type { ListingFile, ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';
import { FORM_IMAGES, FORM_VIDEOS } from '../snapshot/shown_ids.js';

type TargetImages = NonNullable<Target['images']>;
type TargetOthers = NonNullable<Target['videos']>;

/**
 * All photos in order: the named ones, followed by manually added photos beyond those a request can hold.
 * @param own ids of the photos that the request names
 */
export function decideImages(
  wanted: readonly MediaChange[],
  fresh: readonly ListingImage[],
  own: ReadonlySet<number>,
): TargetImages {
  const there = fresh.toSorted((a, b) => a.rank - b.rank);
  const named = wanted.map((change) => {
    const known = findNamed(change, there, getImageId, ({ url_fullxfull }) => url_fullxfull);
    const alt_text = change.alt_text ?? known?.alt_text ?? '';
    return { ...toTarget(change, known && getImageId(known)), alt_text };
  });
  const beyond = listBeyond(there, FORM_IMAGES, own, named, getImageId);
  return [
    ...named,
    ...beyond.map((image) => ({ id: getImageId(image), file: null, alt_text: image.alt_text })),
  ];
}

export function decideVideos(
  wanted: readonly MediaChange[],
  fresh: readonly ListingVideo[],
  own: ReadonlySet<number>,
): TargetOthers {
  const named = wanted.map((change) => {
    const known = findNamed(change, fresh, getVideoId, ({ video_url }) => video_url);
    return toTarget(change, known && getVideoId(known));
  });
  const beyond = listBeyond(fresh, FORM_VIDEOS, own, named, getVideoId);
  return [...named, ...beyond.map((video) => ({ id: getVideoId(video), file: null }))];
}

export function decideFiles(wanted: readonly MediaChange[], fresh: readonly ListingFile[]): TargetOthers {
  return wanted.map((change) => {
    const known = findNamed(
      change,
      fresh,
      ({ listing_file_id }) => listing_file_id,
      () => null,
    );
    return toTarget(change, known?.listing_file_id);
  });
}

/** Finds a photo, video or file by its known id, otherwise by the marketplace's own URL. */
function findNamed<Item>(
  { id, url }: MediaChange,
  there: readonly Item[],
  getId: (item: Item) => number,
  getUrl: (item: Item) => string | null,
): Item | undefined {
  return there.find((item) => getId(item) === id) ?? there.find((item) => getUrl(item) === url);
}

/** Sends a missing item again if its bytes are stored here; otherwise attaches it by its id. */
function toTarget({ id, file }: MediaChange, known: number | undefined): TargetOthers[number] {
  if (known !== undefined) return { id: known, file: null };
  return file ? { id: null, file } : { id, file: null };
}

function listBeyond<Item>(
  there: readonly Item[],
  room: number,
  own: ReadonlySet<number>,
  named: readonly { id: number | null }[],
  getId: (item: Item) => number,
): Item[] {
  return there.slice(room).filter((item) => {
    const id = getId(item);
    return !own.has(id) && !named.some((target) => target.id === id);
  });
}

function getImageId({ listing_image_id }: ListingImage): number {
  return listing_image_id;
}

function getVideoId({ video_id }: ListingVideo): number {
  return video_id;
}
