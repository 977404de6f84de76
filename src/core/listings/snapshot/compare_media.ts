import type { ListingFile, ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';
import { foldValue } from '../rules/text.js';
import { isSameValue } from './difference.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';

/** Compares photos by id, in order: the URL may depend on the requested size. */
export function compareImages(
  before: readonly ListingImage[],
  after: readonly ListingImage[],
): FieldDifference[] {
  const [was, is] = [sortByRank(before), sortByRank(after)];
  const known = new Map(was.map((image) => [image.listing_image_id, image]));
  return [
    ...compareLists('images', was, is, ({ listing_image_id }) => listing_image_id, showImage),
    ...is.flatMap(({ listing_image_id: id, alt_text: after }, position): FieldDifference[] => {
      const before = known.get(id)?.alt_text ?? after;
      if (isSameValue(before, after)) return [];
      return [{ ref: { part: 'images', field: 'alt_text', id, position }, before, after, kind: 'set' }];
    }),
  ];
}

export function compareVideos(
  before: readonly ListingVideo[],
  after: readonly ListingVideo[],
): FieldDifference[] {
  return compareLists('videos', before, after, ({ video_id }) => video_id, showVideo);
}

export function compareFiles(
  before: readonly ListingFile[],
  after: readonly ListingFile[],
): FieldDifference[] {
  return compareLists('files', sortByRank(before), sortByRank(after), getFileId, showFile);
}

/** Compares by variation value, whose id changes with each write of the inventory. */
export function compareVariationImages(
  before: Partial<ListingSnapshot>,
  after: Partial<ListingSnapshot>,
): FieldDifference[] {
  const [was, is] = [listByValue(before), listByValue(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): FieldDifference[] => {
    const [a, b] = [was.get(key), is.get(key)];
    if (a?.image_id === b?.image_id) return [];
    const { property_id = null, value = '' } = b ?? a ?? {};
    return [
      {
        ref: { part: 'variation_images', property_id, value },
        before: showId(before, a?.image_id),
        after: showId(after, b?.image_id),
        kind: 'set',
      },
    ];
  });
}

type ByValue = Map<string, { property_id: number; value: string; image_id: number }>;

function listByValue(snapshot: Partial<ListingSnapshot>): ByValue {
  return new Map(
    (snapshot.variation_images ?? []).map(({ property_id, value_id, value, image_id }) => {
      const shown = value ?? findValue(snapshot, property_id, value_id) ?? `value ${value_id}`;
      const key = `${property_id} ${foldValue(shown)}`;
      return [key, { property_id, value: shown, image_id }];
    }),
  );
}

/** Finds the value of a photo in the inventory, if it was read, when the photo does not name it. */
export function findValue(
  { inventory }: Partial<ListingSnapshot>,
  property_id: number,
  value_id: number,
): string | undefined {
  for (const { property_values } of inventory?.products ?? []) {
    const own = property_values.find((candidate) => candidate.property_id === property_id);
    const at = own?.value_ids.indexOf(value_id) ?? -1;
    if (own && at >= 0) return own.values[at];
  }
  return undefined;
}

function showId({ images = [] }: Partial<ListingSnapshot>, image_id: number | undefined): string | null {
  if (image_id === undefined) return null;
  const image = images.find(({ listing_image_id }) => listing_image_id === image_id);
  return image ? showImage(image) : `photo ${image_id}`;
}

function compareLists<Item>(
  part: 'images' | 'videos' | 'files',
  before: readonly Item[],
  after: readonly Item[],
  getId: (item: Item) => number,
  show: (item: Item) => string,
): FieldDifference[] {
  if (isSameValue(before.map(getId), after.map(getId))) return [];
  return [{ ref: { part }, before: before.map(show), after: after.map(show), kind: 'set' }];
}

function sortByRank<Item extends { rank: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => a.rank - b.rank);
}

function showImage({ url_fullxfull, listing_image_id }: ListingImage): string {
  return url_fullxfull || `photo ${listing_image_id}`;
}

function showVideo({ video_url, video_id }: ListingVideo): string {
  return video_url ?? `video ${video_id}`;
}

function getFileId({ listing_file_id }: ListingFile): number {
  return listing_file_id;
}

function showFile({ filename }: ListingFile): string {
  return filename;
}
