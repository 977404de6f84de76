import { MEDIA_KINDS, type MediaKind } from '../../ports/listing/progress.js';
import type { Warning } from '../../../../schemas/job.js';
import type { ListingDetails, ListingFile, ListingImage, ShownVariationImage } from '../../ports/index.js';
import { reopen } from '../engine/intents.js';
import { foldValue } from '../rules/text.js';
import type { Fact } from '../../../../schemas/issue.js';
import { callRepeatably } from '../engine/attempt.js';
import { type Publishing, getListingId } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
import type { StepOutcome } from '../engine/step.js';

/** A listing with what hangs on it, as the marketplace shows it; empty where the target has no such thing. */
export type Shown = ListingDetails & {
  files: ListingFile[];
  variation_images: ShownVariationImage[];
};

export async function readShown(publishing: Publishing): Promise<Shown> {
  const { shop, target, ports } = publishing;
  const { marketplace } = ports;
  const listing_id = getListingId(publishing);
  const [details, files, variation_images] = await Promise.all([
    callRepeatably(publishing, () => marketplace.getListingDetails(shop, listing_id)),
    target.files ? callRepeatably(publishing, () => marketplace.listFiles(shop, listing_id)) : [],
    target.variation_images
      ? callRepeatably(publishing, () => marketplace.listVariationImages(shop, listing_id))
      : [],
  ]);
  return { ...details, files, variation_images };
}

/** Of what the marketplace once confirmed. */
export function isEverythingShown(publishing: Publishing, shown: Shown): boolean {
  const { images, videos, files } = listLost(publishing, shown);
  return (
    images.length + videos.length + files.length === 0 &&
    listWrongVariationImages(publishing, shown).length === 0
  );
}

/**
 * Holds what hangs on the listing against what was sent. What is gone is forgotten, so that the next run sends it; what is
 * there besides is told and never taken down, since it may be the seller's own.
 */
export function compareMedia(publishing: Publishing, shown: Shown): StepOutcome {
  const { progress } = publishing;
  const lost = listLost(publishing, shown);
  const values = listWrongVariationImages(publishing, shown);
  const filenames = lost.files.flatMap((index) => progress.files[index]?.filename ?? []);
  for (const index of lost.images) delete progress.images[index];
  progress.videos = progress.videos.filter((video) => !lost.videos.includes(video));
  for (const index of lost.files) delete progress.files[index];
  takeFreshImages(publishing, shown.images);
  if (values.length > 0) reopen(progress, 'variation_images');
  for (const kind of MEDIA_KINDS) {
    if (lost[kind].length > 0) reopen(progress, kind);
  }
  if (lost.files.length > 0) {
    throw new StepError({ code: 'files_gone', params: { filenames } }, null);
  }

  const gone: Warning[] = [
    ...lost.images.map((index) => ({
      code: 'image_failed' as const,
      fields: [publishing.target.images?.[index]?.file?.path ?? `images[${index}]`],
      reason: { code: 'photo_gone' as const, params: { index } },
    })),
    ...lost.videos.map(() => ({
      code: 'video_failed' as const,
      fields: ['videos[0]'],
      reason: { code: 'video_gone' as const, params: {} },
    })),
  ];
  const wrong: Warning = {
    code: 'variation_images_failed',
    fields: values.map((value) => `variations.variation_images.mapping.${value}`),
    reason: { code: 'variation_photos_differ', params: {} },
  };
  const warnings = [...gone, ...(values.length > 0 ? [wrong] : []), ...listChanges(publishing, shown)];
  const [first] = gone;
  if (!first) return { warnings };
  return { warnings, missing: { error: first.reason, marketplace_status: null } };
}

/** Media that the marketplace confirmed and that are missing: images and files by position in the plan. */
function listLost({ progress }: Publishing, { images, videos, files }: Shown) {
  const image_ids = new Set(images.map(({ listing_image_id }) => listing_image_id));
  const video_ids = new Set(videos.map(({ video_id }) => video_id));
  const file_ids = new Set(files.map(({ listing_file_id }) => listing_file_id));
  return {
    images: Object.entries(progress.images)
      .filter(([, { listing_image_id }]) => !image_ids.has(listing_image_id))
      .map(([index]) => Number(index)),
    videos: progress.videos.filter(({ video_id }) => !video_ids.has(video_id)),
    files: Object.entries(progress.files)
      .filter(([, { listing_file_id }]) => !file_ids.has(listing_file_id))
      .map(([index]) => Number(index)),
  };
}

/** Values that were given a photo, and do not show it. Where the write itself failed, that has been told. */
function listWrongVariationImages({ target, progress, sent }: Publishing, shown: Shown): string[] {
  const told = new Set((progress.warnings.variation_images ?? []).flatMap(({ fields }) => fields));
  if (!target.variation_images || told.has('variations.variation_images')) return [];
  return target.variation_images
    .filter(({ value }) => !told.has(`variations.variation_images.mapping.${value}`))
    .filter(({ property_id, value, image }) => {
      const wanted = 'position' in image ? sent.findId('images', image.position) : image.id;
      return !shown.variation_images.some(
        (other) =>
          other.property_id === property_id &&
          other.image_id === wanted &&
          (other.value === null || foldValue(other.value) === foldValue(value)),
      );
    })
    .map(({ value }) => value);
}

/** Photos that are there beside ours, and photos in another order. */
function listChanges({ progress }: Publishing, { images, videos, files }: Shown): Warning[] {
  const sent = Object.values(progress.images).map(({ listing_image_id }) => listing_image_id);
  const stored = [...images].sort((a, b) => a.rank - b.rank).map(({ listing_image_id }) => listing_image_id);
  const ordered = stored.filter((id) => sent.includes(id));
  const known_videos = progress.videos.map(({ video_id }) => video_id);
  const known_files = Object.values(progress.files).map(({ listing_file_id }) => listing_file_id);
  return [
    ...buildSurplus('images', 'images', sent, stored),
    ...buildSurplus(
      'videos',
      'videos',
      known_videos,
      videos.map(({ video_id }) => video_id),
    ),
    ...buildSurplus(
      'digital_files',
      'files',
      known_files,
      files.map((file) => file.listing_file_id),
    ),
    ...(JSON.stringify(ordered) === JSON.stringify(sent)
      ? []
      : [buildChange('images', { code: 'photos_in_other_order', params: {} })]),
  ];
}

function buildSurplus(
  field: string,
  kind: MediaKind,
  sent: readonly number[],
  stored: readonly number[],
): Warning[] {
  const ids = stored.filter((id) => !sent.includes(id));
  if (ids.length === 0) return [];
  const params = { kind, shown: stored.length, known: sent.length, ids };
  return [buildChange(field, { code: 'media_surplus', params })];
}

function buildChange(field: string, reason: Fact): Warning {
  return { code: 'marketplace_changed', fields: [field], reason };
}

/** The marketplace fills addresses and ranks in later. */
function takeFreshImages({ progress }: Publishing, there: readonly ListingImage[]): void {
  for (const [index, image] of Object.entries(progress.images)) {
    const fresh = there.find(({ listing_image_id }) => listing_image_id === image.listing_image_id);
    if (fresh) progress.images[Number(index)] = fresh;
  }
}
