import type { ListingFile, ListingImage, ListingVideo } from '../../ports/marketplace_listing.js';
import { isSameValue, type FieldDifference } from './difference.js';
import type { ListingSnapshot } from './snapshot.js';

/** Photos by their ids, in their order: an address may change with the size that is asked for. */
export function compareImages(
  before: readonly ListingImage[],
  after: readonly ListingImage[],
): FieldDifference[] {
  const [was, is] = [sortByRank(before), sortByRank(after)];
  const known = new Map(was.map((image) => [image.listing_image_id, image]));
  return [
    ...compareLists('images', was, is, ({ listing_image_id }) => listing_image_id, showImage),
    ...is.flatMap((image, index) => {
      const alt_text = known.get(image.listing_image_id)?.alt_text ?? image.alt_text;
      if (isSameValue(alt_text, image.alt_text)) return [];
      return [{ field: `images[${index}].alt_text`, before: alt_text, after: image.alt_text }];
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
  return compareLists('digital_files', sortByRank(before), sortByRank(after), getFileId, showFile);
}

/** By the value that they are shown for, whose id changes with each write of the inventory. */
export function compareVariationImages(
  before: Partial<ListingSnapshot>,
  after: Partial<ListingSnapshot>,
): FieldDifference[] {
  const [was, is] = [listByValue(before), listByValue(after)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [a, b] = [was.get(key), is.get(key)];
    if (a?.image_id === b?.image_id) return [];
    const value = (b ?? a)?.value ?? '';
    const field = `variations.variation_images.mapping.${value}`;
    return [{ field, before: showId(before, a?.image_id), after: showId(after, b?.image_id) }];
  });
}

type ByValue = Map<string, { value: string; image_id: number }>;

function listByValue(snapshot: Partial<ListingSnapshot>): ByValue {
  return new Map(
    (snapshot.variation_images ?? []).map(({ property_id, value_id, value, image_id }) => {
      const shown = value ?? findValue(snapshot, property_id, value_id) ?? `value ${value_id}`;
      return [`${property_id} ${shown.normalize('NFC').trim().toLowerCase()}`, { value: shown, image_id }];
    }),
  );
}

/** Where the photos do not tell for which value they are, the inventory does, if it was read. */
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
  field: string,
  before: readonly Item[],
  after: readonly Item[],
  getId: (item: Item) => number,
  show: (item: Item) => string,
): FieldDifference[] {
  if (isSameValue(before.map(getId), after.map(getId))) return [];
  return [{ field, before: before.map(show), after: after.map(show) }];
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
