import type { Fact } from '../../../../schemas/issue.js';
import type { Warning } from '../../../../schemas/job.js';
import type { MarketplaceListing } from '../../ports/index.js';
import { MEDIA_KINDS, type MediaKind, type StepName } from '../../ports/listing/progress.js';
import { toRequestPath } from '../listing_fields.js';
import { foldValue } from '../rules/text.js';
import { listDifferences } from '../snapshot/compare_draft.js';
import { listShownIds } from '../snapshot/shown_ids.js';
import { waitUntilSettled } from '../engine/attempt.js';
import { getListing, getPublication, type Context } from '../engine/context.js';
import { StepError } from '../engine/failures.js';
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
  publication.videos = publication.videos.filter((_, index) => !lost.videos.includes(index));
  for (const index of lost.files) delete publication.files[index];
  takeFreshImages(cx);
  const steps: StepName[] = MEDIA_KINDS.filter((kind) => lost[kind].length > 0);
  if (values.length > 0) steps.push('variation_images');
  publication.done = publication.done.filter((step) => !steps.includes(step));
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

/** Missing media that the marketplace had confirmed, by position in the target. */
function listLost({ sent, fresh }: Context): Record<MediaKind, number[]> {
  const list = (kind: MediaKind) => {
    const shown = new Set(listShownIds(fresh, kind));
    return [...sent.getIds(kind)].filter(([, id]) => !shown.has(id)).map(([index]) => index);
  };
  return { images: list('images'), videos: list('videos'), files: list('files') };
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

/** Media in addition to ours, and photos in another order. */
function listChanges({ sent, fresh }: Context): Warning[] {
  const surplus = MEDIA_KINDS.flatMap((kind): Warning[] => {
    const shown = listShownIds(fresh, kind) ?? [];
    const known = [...sent.getIds(kind).values()];
    const ids = shown.filter((id) => !known.includes(id));
    if (ids.length === 0) return [];
    const params = { kind, shown: shown.length, known: known.length, ids };
    return [buildChange(kind === 'files' ? 'digital_files' : kind, { code: 'media_surplus', params })];
  });
  const known = [...sent.getIds('images').values()];
  const ordered = (listShownIds(fresh, 'images') ?? []).filter((id) => known.includes(id));
  if (String(ordered) === String(known)) return surplus;
  return [...surplus, buildChange('images', { code: 'photos_in_other_order', params: {} })];
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
