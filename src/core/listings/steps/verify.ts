import type { Warning } from '../../../../schemas/job.js';
import type { MarketplaceListing } from '../../ports/index.js';
import { listDifferences } from '../snapshot/compare_draft.js';
import { toRequestPath } from '../listing_fields.js';
import { waitUntilQuiet } from '../engine/attempt.js';
import { compareMedia, isEverythingShown, readShown, type Shown } from './read_back.js';
import type { Publishing } from '../engine/context.js';
import type { PublishStep } from '../engine/step.js';

/** Reads the listing back: what the marketplace silently dropped, changed or has twice is told. */
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
  // The listing with its images and videos; what is not in that answer has a list of its own.
  countCalls: ({ files, variation_images }) => 1 + (files ? 1 : 0) + (variation_images ? 1 : 0),
  async run(publishing) {
    // What comes later would be in no look, and undo what buyers and sellers do once the listing is on sale, or the job is over.
    await waitUntilQuiet(publishing);
    delete publishing.progress.is_under_way;
    const { shown, asked_ms } = await readSettled(publishing);
    const { listing } = shown;
    publishing.seen = listing;
    publishing.listing_asked_ms = asked_ms;
    publishing.progress.listing_url = listing.url;
    keepShown(publishing, shown);
    const { warnings = [], missing } = compareMedia(publishing, shown);
    publishing.report('read back');
    return {
      warnings: [...compareListing(publishing, listing), ...warnings],
      ...(missing && { missing }),
    };
  },
};

/** Lists lag: what is not shown is looked for twice more. */
async function readSettled(publishing: Publishing): Promise<{ shown: Shown; asked_ms: number }> {
  const { settle_ms, ports } = publishing;
  let settled: { shown: Shown; asked_ms: number } | undefined;
  for (const pause_ms of [0, settle_ms, settle_ms / 10]) {
    if (pause_ms > 0) await publishing.pause(pause_ms);
    const asked_ms = ports.clock.monotonic();
    const shown = await readShown(publishing);
    settled = { shown, asked_ms };
    if (isEverythingShown(publishing, shown)) break;
  }
  if (!settled) throw new Error('read at least once');
  return settled;
}

function compareListing(publishing: Publishing, listing: MarketplaceListing): Warning[] {
  const { shop_plan, progress } = publishing;
  const told = new Set(progress.warnings.recover?.flatMap((warning) => warning.fields));
  const changed = listDifferences(listing, shop_plan.draft)
    .map((field) => ({ field, path: toRequestPath(field, publishing) }))
    .filter(({ path }) => !told.has(path));
  if (changed.length === 0) return [];
  const params = { fields: changed.map(({ field }) => field) };
  const reason = { code: 'shown_differently' as const, params };
  return [{ code: 'marketplace_changed', fields: changed.map(({ path }) => path), reason }];
}

/** Photos of variations and files that the target has none of were not asked for; a listing of this run has none. */
function keepShown(publishing: Publishing, { files, variation_images, ...details }: Shown): void {
  const { target, is_new } = publishing;
  publishing.fresh = {
    ...publishing.fresh,
    ...details,
    images: details.images.toSorted((a, b) => a.rank - b.rank),
    ...((is_new || target.files) && { files }),
    ...((is_new || target.variation_images) && { variation_images }),
  };
}
