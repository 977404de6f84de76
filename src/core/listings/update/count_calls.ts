import type { ListingSnapshot, SnapshotPart } from '../snapshot/snapshot.js';
import { compareAttributes } from '../snapshot/compare_attributes.js';
import type { Target } from './plan.js';

/** Marketplace calls that an update of one listing takes when all goes well: reading, writing, and reading back. */
export function countUpdateCalls(
  target: Target | undefined,
  fresh: Partial<ListingSnapshot>,
  parts: readonly SnapshotPart[],
): number {
  const reads = countReads(parts, fresh);
  return target ? 2 * reads + countWrites(target, fresh) : reads;
}

const OF_DETAILS: readonly SnapshotPart[] = ['images', 'videos', 'translations', 'questions'];

function countReads(
  parts: readonly SnapshotPart[],
  { inventory, listing }: Partial<ListingSnapshot>,
): number {
  const has = (part: SnapshotPart) => parts.includes(part);
  const isVaried = (inventory?.products.length ?? 0) > 1;
  const reads = [
    OF_DETAILS.some(has) || (has('listing') && !has('inventory')),
    has('inventory'),
    has('attributes'),
    has('variation_images') && isVaried,
    has('files') && listing?.listing_type !== 'physical',
  ];
  return reads.filter(Boolean).length;
}

function countWrites(target: Target, fresh: Partial<ListingSnapshot>): number {
  const {
    fields,
    images,
    videos,
    files,
    inventory,
    variation_images,
    attributes,
    questions,
    translations,
    state,
  } = target;
  const photos = images
    ? images.filter((image) => {
        const known = fresh.images?.find(({ listing_image_id }) => listing_image_id === image.id);
        return known?.alt_text !== image.alt_text;
      }).length
    : 0;
  return (
    (fields || images ? 1 : 0) +
    photos +
    countChanged(
      videos,
      fresh.videos?.map(({ video_id }) => video_id),
    ) +
    countChanged(
      files,
      fresh.files?.map(({ listing_file_id }) => listing_file_id),
    ) +
    // Read once more before it is written, where other writes came before.
    (inventory && (fields ?? images ?? videos ?? files) ? 1 : 0) +
    [inventory, variation_images, questions, state].filter((part) => part !== undefined).length +
    (attributes ? compareAttributes(fresh.attributes ?? [], attributes, {}).length : 0) +
    (translations?.length ?? 0)
  );
}

/** Media that are sent, and media that are deleted. */
function countChanged(
  wanted: readonly { id: number | null }[] | undefined,
  there: readonly number[] = [],
): number {
  if (!wanted) return 0;
  const gone = there.filter((id) => !wanted.some((media) => media.id === id)).length;
  return wanted.filter(({ id }) => id === null).length + gone;
}
