import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { ListingSnapshot, SnapshotPart } from '../../ports/listing/snapshot.js';
import type { Target } from '../../ports/listing/target.js';
import { foldValue } from '../rules/text.js';
import { compareAttributes } from '../snapshot/compare_attributes.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { findValue } from '../snapshot/compare_media.js';
import { hasValue, isSameValue } from '../snapshot/difference.js';
import { hasVariations } from '../snapshot/read.js';
import { projectTarget } from '../decide/project.js';

type Fresh = Partial<ListingSnapshot>;

/** The state of an update between two of its steps. */
type Counting = {
  readonly target: Target;
  /** As read before the first write. */
  readonly before: Fresh;
  /** The parts that writes may have changed since they were read, as in the context. */
  readonly stale: Set<SnapshotPart>;
  variation_images: Fresh['variation_images'];
  translations: Fresh['translations'];
};

const DETAILS: readonly SnapshotPart[] = ['listing', 'images', 'videos', 'translations', 'questions'];

/** Number of marketplace calls needed to read these parts once. */
export function countReads(parts: readonly SnapshotPart[], { inventory, listing }: Fresh): number {
  const has = (part: SnapshotPart) => parts.includes(part);
  const details = parts.filter((part) => DETAILS.includes(part));
  const isPlain = has('inventory') && inventory !== undefined && !hasVariations(inventory);
  const isPhysical = details.length > 0 && listing?.listing_type === 'physical';
  const reads = [
    details.length > 0 && !(has('inventory') && String(details) === 'listing'),
    has('inventory'),
    has('attributes'),
    has('variation_images') && !isPlain,
    has('files') && !isPhysical,
  ];
  return reads.filter(Boolean).length;
}

/**
 * The number of marketplace calls to write the target and read it back if everything succeeds: the sum over an
 * update's steps, in order. Excludes activating a listing for a fee, which dry runs never count.
 */
export function countWrites(target: Target, before: Fresh): number {
  const { variation_images, translations } = before;
  const counting: Counting = { target, before, stale: new Set(), variation_images, translations };
  const writes = STEPS.reduce((calls, countStep) => calls + countStep(counting), 0);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a snapshot are its parts
  const parts = Object.keys(before) as SnapshotPart[];
  const open = parts.filter((part) => counting.stale.has(part));
  return writes + (open.length > 0 ? countReads(open, before) : 0);
}

const STEPS: readonly ((counting: Counting) => number)[] = [
  countPhotosAndFields,
  countVideos,
  countFiles,
  countInventory,
  countVariationImages,
  countAttributes,
  countQuestions,
  countState,
  countTranslations,
];

function countPhotosAndFields(counting: Counting): number {
  const { target, before, stale } = counting;
  const photos = countPhotos(counting);
  const { listing, translations } = before;
  const fields = Object.entries(target.fields ?? {}).filter(
    ([field, value]) => !hasValue(listing?.[field as keyof typeof listing], value),
  );
  if (fields.length === 0 && photos.is_in_order) return photos.calls;
  const isReadAgain = stale.size > 0 && fields.length > 0;
  if (isReadAgain) for (const part of DETAILS) stale.delete(part);
  if (!photos.is_in_order) touchPhotos(counting);
  stale.add('listing');
  if (translations) stale.add('translations');
  if (translations && fields.some(([field]) => field === 'title')) counting.translations = [];
  return photos.calls + (isReadAgain ? 2 : 1);
}

/**
 * Photos are read again before each further write of them: sending takes minutes, in which others may change them.
 */
function countPhotos(counting: Counting): { calls: number; is_in_order: boolean } {
  const { target, before, stale } = counting;
  if (!target.images) return { calls: 0, is_in_order: true };
  const most = MARKETPLACE_FACTS.images_per_listing;
  const known = new Map(before.images?.map((image) => [image.listing_image_id, image]));
  const wanted = target.images.map(({ id }, index) => id ?? -1 - index);
  const texts = target.images.flatMap(({ id, alt_text }) => {
    const image = known.get(id ?? 0);
    return image && image.alt_text !== alt_text ? [image.listing_image_id] : [];
  });
  let shown = [...known.keys()];
  let calls = 0;
  const listMissing = () => wanted.filter((id) => !shown.includes(id));
  const reread = () => {
    if (stale.has('images')) calls += 1;
  };
  const write = (images: number[]) => {
    shown = images;
    calls += 1;
    touchPhotos(counting);
  };
  const removeSurplus = () => {
    const kept = shown.filter((id) => wanted.includes(id));
    if (kept.length === shown.length) return;
    reread();
    const left = kept.length > 0 ? kept : shown.slice(0, 1);
    if (left.length < shown.length) write(left);
  };

  const needed = listMissing().length || Math.min(1, texts.length);
  if (needed > most - shown.length) removeSurplus();
  const isFull = shown.length >= most;
  const [first] = texts;
  if (isFull && first !== undefined) write(shown.filter((id) => id !== first));
  for (let rest = isFull ? texts.length - 1 : texts.length; rest > 0; rest -= 1) {
    reread();
    write(shown);
  }
  for (const id of listMissing()) {
    if (shown.length >= most) removeSurplus();
    const earlier = wanted.slice(0, wanted.indexOf(id)).map((one) => shown.indexOf(one));
    write(shown.toSpliced(Math.max(-1, ...earlier) + 1, 0, id));
  }
  reread();
  return { calls, is_in_order: String(shown) === String(wanted) };
}

function touchPhotos({ stale, variation_images }: Counting): void {
  stale.add('images').add('listing');
  if (variation_images?.length) stale.add('variation_images');
}

/** Videos to send, and videos to delete. */
function countVideos({ target: { videos }, before, stale }: Counting): number {
  if (!videos) return 0;
  const ids = new Set(before.videos?.map(({ video_id }) => video_id));
  const kept = videos.filter(({ id }) => id !== null && ids.has(id)).length;
  const calls = videos.length - kept + ids.size - kept;
  if (calls > 0) stale.add('videos').add('listing');
  return calls;
}

function countFiles({ target: { files }, before, stale }: Counting): number {
  if (!files) return 0;
  const wanted = files.map(({ id }, index) => id ?? -1 - index);
  const most = MARKETPLACE_FACTS.digital_files_per_listing;
  let shown = (before.files ?? []).map(({ listing_file_id }) => listing_file_id);
  let calls = 0;
  const write = (ids: number[]) => {
    shown = ids;
    calls += 1;
  };
  const listSurplus = () => shown.filter((id) => !wanted.includes(id));
  const remove = (ids: number[]) => {
    for (const id of ids) write(shown.filter((other) => other !== id));
  };
  const put = (id: number, index: number) =>
    write(shown.filter((other) => other !== id).toSpliced(index, 0, id));
  for (const [index, id] of wanted.entries()) {
    if (shown.includes(id)) continue;
    if (shown.length >= most) remove(listSurplus().slice(0, most - 1));
    put(id, index);
  }
  remove(listSurplus());
  for (const [index, id] of wanted.entries()) if (shown[index] !== id) put(id, index);
  if (calls > 0) stale.add('files').add('listing');
  return calls;
}

/** Inventory is reread first if earlier writes may have made it stale, and read back right after the write. */
function countInventory(counting: Counting): number {
  const { stale, variation_images } = counting;
  if (!isOpen(counting, 'inventory')) return 0;
  const calls = stale.size > 0 ? 3 : 2;
  stale.delete('listing');
  stale.delete('inventory');
  if (variation_images?.length) {
    counting.variation_images = [];
    stale.add('variation_images');
  }
  return calls;
}

function countVariationImages({ target, before, stale, variation_images = [] }: Counting): number {
  if (!target.variation_images) return 0;
  const isUnsure = stale.has('variation_images') && variation_images.length > 0;
  if (isUnsure) stale.delete('variation_images');
  const stay = variation_images.filter(
    ({ image_id }) => !isUnsure || !target.images || target.images.some(({ id }) => id === image_id),
  );
  const is = stay.map(({ property_id, value_id, value, image_id }) =>
    toKey(property_id, value ?? findValue(before, property_id, value_id), { id: image_id }),
  );
  const wanted = target.variation_images.map(({ property_id, value, image }) =>
    toKey(property_id, value, image),
  );
  const isWritten = String(wanted.sort()) !== String(is.sort());
  if (isWritten) stale.add('variation_images');
  return (isUnsure ? 1 : 0) + (isWritten ? 1 : 0);
}

function toKey(property_id: number, value: string | undefined, image: object): string {
  return JSON.stringify([property_id, foldValue(value ?? ''), image]);
}

function countAttributes({ target: { attributes }, before, stale }: Counting): number {
  if (!attributes) return 0;
  const calls = compareAttributes(before.attributes ?? [], attributes, {}).length;
  if (calls > 0) stale.add('attributes');
  return calls;
}

function countQuestions(counting: Counting): number {
  if (!isOpen(counting, 'questions')) return 0;
  counting.stale.add('questions').add('listing');
  return 1;
}

function countState(counting: Counting): number {
  const { target, before, stale, translations } = counting;
  if (target.state === undefined || target.state === before.listing?.state) return 0;
  stale.add('listing');
  if (target.state === 'inactive' && translations) {
    counting.translations = [];
    stale.add('translations');
  }
  return 1;
}

function countTranslations({ target, before, stale, translations = [] }: Counting): number {
  const wanted = target.translations ?? before.translations ?? [];
  const calls = wanted.filter((one) => !translations.some((is) => isSameValue(one, is))).length;
  if (calls > 0) stale.add('translations').add('listing');
  return calls;
}

function isOpen({ target, before }: Counting, part: 'inventory' | 'questions'): boolean {
  const wanted = target[part];
  return (
    wanted !== undefined && compareSnapshots(before, projectTarget(before, { [part]: wanted })).length > 0
  );
}
