import type { Fact } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import type { MarketplaceListing } from '../../ports/index.js';
import { MEDIA_KINDS, type MediaKind } from '../../ports/listing/progress.js';
import { toRequestPath } from '../listing_fields.js';
import { foldValue } from '../rules/text.js';
import { listDifferences } from '../snapshot/compare_draft.js';
import { waitUntilSettled } from '../engine/attempt.js';
import { getListing, getPublication, type Context } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
import { reopen } from '../engine/intents.js';
import { readParts, readUntilShown } from '../engine/read.js';
import type { Step, StepOutcome } from '../engine/step.js';

/** Reads the listing back, and reports parts the marketplace silently dropped, changed or duplicated. */
export const verifyStep: Step = {
  name: 'verify',
  work: 'read_back',
  is_repeated: true,
  // The listing with its images and videos; the other parts have lists of their own.
  count: ({ files, variation_images }) => ({
    reports: 1,
    calls: 1 + (files ? 1 : 0) + (variation_images ? 1 : 0),
  }),
  async run(cx) {
    // A later write would escape this check, and would undo edits of buyers and sellers once the listing is on sale
    // or the job is over.
    await waitUntilSettled(cx);
    delete cx.publication.is_under_way;
    await readUntilShown(cx, () => readShown(cx));
    const listing = getListing(cx);
    cx.seen = listing;
    cx.publication.listing_url = listing.url;
    const { warnings = [], missing } = compareMedia(cx);
    cx.report('read back');
    return {
      warnings: [...compareListing(cx, listing), ...warnings],
      ...(missing && { missing }),
    };
  },
};

/** Whether the listing shows everything the marketplace confirmed before. */
async function readShown(cx: Context): Promise<boolean> {
  const { target, is_new } = cx;
  // If the target has none of these, a listing that this run created has none either.
  if (is_new) cx.fresh = { files: [], variation_images: [], ...cx.fresh };
  await Promise.all([
    readParts(cx, ['listing', 'images', 'videos']),
    target.files && readParts(cx, ['files']),
    target.variation_images && readParts(cx, ['variation_images']),
  ]);
  const { images, videos, files } = listLost(cx);
  const lost = [...images, ...videos, ...files, ...listWrongVariationImages(cx)];
  return lost.length === 0;
}

function compareListing(cx: Context, listing: MarketplaceListing): Warning[] {
  const { publication } = cx;
  const { draft, position } = getPublication(cx);
  const reported = new Set(publication.warnings.recover?.flatMap((warning) => warning.fields));
  const changed = listDifferences(listing, draft)
    .map((field) => ({ field, path: toRequestPath(field, { position }) }))
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
function compareMedia(cx: Context): StepOutcome {
  const { publication } = cx;
  const lost = listLost(cx);
  const values = listWrongVariationImages(cx);
  const filenames = lost.files.flatMap((index) => publication.files[index]?.filename ?? []);
  for (const index of lost.images) delete publication.images[index];
  publication.videos = publication.videos.filter((video) => !lost.videos.includes(video));
  for (const index of lost.files) delete publication.files[index];
  takeFreshImages(cx);
  if (values.length > 0) reopen(publication, 'variation_images');
  for (const kind of MEDIA_KINDS) {
    if (lost[kind].length > 0) reopen(publication, kind);
  }
  if (lost.files.length > 0) {
    throw new StepError({ code: 'files_gone', params: { filenames } }, null);
  }

  const gone: Warning[] = [
    ...lost.images.map((index) => ({
      code: 'image_failed' as const,
      fields: [cx.target.images?.[index]?.file?.path ?? `images[${index}]`],
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
  const warnings = [...gone, ...(values.length > 0 ? [wrong] : []), ...listChanges(cx)];
  const [first] = gone;
  if (!first) return { warnings };
  return { warnings, missing: { error: first.reason, marketplace_status: null } };
}

/** Missing media that the marketplace had confirmed. Identifies images and files by position in the target. */
function listLost({ publication, fresh }: Context) {
  const { images = [], videos = [], files = [] } = fresh;
  const image_ids = new Set(images.map(({ listing_image_id }) => listing_image_id));
  const video_ids = new Set(videos.map(({ video_id }) => video_id));
  const file_ids = new Set(files.map(({ listing_file_id }) => listing_file_id));
  return {
    images: Object.entries(publication.images)
      .filter(([, { listing_image_id }]) => !image_ids.has(listing_image_id))
      .map(([index]) => Number(index)),
    videos: publication.videos.filter(({ video_id }) => !video_ids.has(video_id)),
    files: Object.entries(publication.files)
      .filter(([, { listing_file_id }]) => !file_ids.has(listing_file_id))
      .map(([index]) => Number(index)),
  };
}

/** Values that were given a photo and do not show it. Empty if a warning already reports that the write failed. */
function listWrongVariationImages({ target, publication, sent, fresh }: Context): string[] {
  const reported = new Set((publication.warnings.variation_images ?? []).flatMap(({ fields }) => fields));
  if (!target.variation_images || reported.has('variations.variation_images')) return [];
  return target.variation_images
    .filter(({ value }) => !reported.has(`variations.variation_images.mapping.${value}`))
    .filter(({ property_id, value, image }) => {
      const wanted = 'position' in image ? sent.getIds('images').get(image.position) : image.id;
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
function listChanges({ publication, fresh }: Context): Warning[] {
  const { images = [], videos = [], files = [] } = fresh;
  const sent = Object.values(publication.images).map(({ listing_image_id }) => listing_image_id);
  const stored = images.map(({ listing_image_id }) => listing_image_id);
  const ordered = stored.filter((id) => sent.includes(id));
  const known_videos = publication.videos.map(({ video_id }) => video_id);
  const known_files = Object.values(publication.files).map(({ listing_file_id }) => listing_file_id);
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
function takeFreshImages({ publication, fresh }: Context): void {
  for (const [index, image] of Object.entries(publication.images)) {
    const shown = fresh.images?.find((other) => other.listing_image_id === image.listing_image_id);
    if (shown) publication.images[Number(index)] = shown;
  }
}
