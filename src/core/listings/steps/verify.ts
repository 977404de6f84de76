import type { Fact } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import type { MarketplaceListing } from '../../ports/index.js';
import { MEDIA_KINDS, type MediaKind } from '../../ports/listing/progress.js';
import { toRequestPath } from '../listing_fields.js';
import { foldValue } from '../rules/text.js';
import { listDifferences } from '../snapshot/compare_draft.js';
import { waitUntilSettled } from '../engine/attempt.js';
import { getListing, type Publishing } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
import { reopen } from '../engine/intents.js';
import { readParts, readUntilShown } from '../engine/read.js';
import type { PublishStep, StepOutcome } from '../engine/step.js';

/** Reads the listing back, and reports parts the marketplace silently dropped, changed or duplicated. */
export const verifyStep: PublishStep = {
  name: 'verify',
  work: 'read_back',
  needs: [
    'images',
    'videos',
    'files',
    'inventory',
    'attributes',
    'variation_images',
    'personalization',
    'recover',
  ],
  is_repeated: true,
  // The listing with its images and videos; the other parts have lists of their own.
  count: ({ files, variation_images }) => ({
    reports: 1,
    calls: 1 + (files ? 1 : 0) + (variation_images ? 1 : 0),
  }),
  async run(publishing) {
    // A later write would escape this check, and would undo edits of buyers and sellers once the listing is on sale
    // or the job is over.
    await waitUntilSettled(publishing);
    delete publishing.progress.is_under_way;
    await readUntilShown(publishing, () => readShown(publishing));
    const listing = getListing(publishing);
    publishing.seen = listing;
    publishing.progress.listing_url = listing.url;
    const { warnings = [], missing } = compareMedia(publishing);
    publishing.report('read back');
    return {
      warnings: [...compareListing(publishing, listing), ...warnings],
      ...(missing && { missing }),
    };
  },
};

/** Whether the listing shows everything the marketplace confirmed before. */
async function readShown(publishing: Publishing): Promise<boolean> {
  const { target, is_new } = publishing;
  // If the target has none of these, a listing that this run created has none either.
  if (is_new) publishing.fresh = { files: [], variation_images: [], ...publishing.fresh };
  await Promise.all([
    readParts(publishing, ['listing', 'images', 'videos']),
    target.files && readParts(publishing, ['files']),
    target.variation_images && readParts(publishing, ['variation_images']),
  ]);
  const { images, videos, files } = listLost(publishing);
  const lost = [...images, ...videos, ...files, ...listWrongVariationImages(publishing)];
  return lost.length === 0;
}

function compareListing(publishing: Publishing, listing: MarketplaceListing): Warning[] {
  const { draft, progress } = publishing;
  const reported = new Set(progress.warnings.recover?.flatMap((warning) => warning.fields));
  const changed = listDifferences(listing, draft)
    .map((field) => ({ field, path: toRequestPath(field, publishing) }))
    .filter(({ path }) => !reported.has(path));
  if (changed.length === 0) return [];
  const params = { fields: changed.map(({ field }) => field) };
  const reason = { code: 'shown_differently' as const, params };
  return [{ code: 'marketplace_changed', fields: changed.map(({ path }) => path), reason }];
}

/**
 * Compares media with the sent ones. Forgets missing media, so that the next run sends them. Reports additional
 * media and never removes them, since they may be the seller's own.
 */
function compareMedia(publishing: Publishing): StepOutcome {
  const { progress } = publishing;
  const lost = listLost(publishing);
  const values = listWrongVariationImages(publishing);
  const filenames = lost.files.flatMap((index) => progress.files[index]?.filename ?? []);
  for (const index of lost.images) delete progress.images[index];
  progress.videos = progress.videos.filter((video) => !lost.videos.includes(video));
  for (const index of lost.files) delete progress.files[index];
  takeFreshImages(publishing);
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
  const warnings = [...gone, ...(values.length > 0 ? [wrong] : []), ...listChanges(publishing)];
  const [first] = gone;
  if (!first) return { warnings };
  return { warnings, missing: { error: first.reason, marketplace_status: null } };
}

/** Missing media that the marketplace had confirmed. Identifies images and files by position in the plan. */
function listLost({ progress, fresh }: Publishing) {
  const { images = [], videos = [], files = [] } = fresh;
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

/** Values that were given a photo and do not show it. Empty if a warning already reports that the write failed. */
function listWrongVariationImages({ target, progress, sent, fresh }: Publishing): string[] {
  const reported = new Set((progress.warnings.variation_images ?? []).flatMap(({ fields }) => fields));
  if (!target.variation_images || reported.has('variations.variation_images')) return [];
  return target.variation_images
    .filter(({ value }) => !reported.has(`variations.variation_images.mapping.${value}`))
    .filter(({ property_id, value, image }) => {
      const wanted = 'position' in image ? sent.findId('images', image.position) : image.id;
      return !fresh.variation_images?.some(
        (other) =>
          other.property_id === property_id &&
          other.image_id === wanted &&
          (other.value === null || foldValue(other.value) === foldValue(value)),
      );
    })
    .map(({ value }) => value);
}

/** Photos in addition to ours, and photos in another order. */
function listChanges({ progress, fresh }: Publishing): Warning[] {
  const { images = [], videos = [], files = [] } = fresh;
  const sent = Object.values(progress.images).map(({ listing_image_id }) => listing_image_id);
  const stored = images.map(({ listing_image_id }) => listing_image_id);
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

/** The marketplace fills in addresses and ranks later. */
function takeFreshImages({ progress, fresh }: Publishing): void {
  for (const [index, image] of Object.entries(progress.images)) {
    const shown = fresh.images?.find((other) => other.listing_image_id === image.listing_image_id);
    if (shown) progress.images[Number(index)] = shown;
  }
}
