import type { Warning } from '../../../../schemas/job.js';
import type { DraftListing, MarketplaceListing } from '../../ports/index.js';
import { foldText } from '../reconcile.js';
import { toRequestPath } from '../request_paths.js';
import { toStepError } from './attempt.js';
import { compareMedia, isEverythingShown, readShown, type Shown } from './read_back.js';
import type { Publishing, Step } from './step.js';

/** Reads the listing back: what the marketplace silently dropped, changed or has twice is told. */
export const verifyStep: Step = {
  name: 'verify',
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
  isNeeded: () => true,
  async run(publishing) {
    const shown = await readSettled(publishing).catch((cause: unknown) => {
      throw toStepError(cause, 'The listing could not be read back');
    });
    const { listing } = shown;
    publishing.fresh = listing;
    publishing.progress.listing_url = listing.url;
    const { warnings = [], missing } = compareMedia(publishing, shown);
    publishing.report('read back');
    return {
      warnings: [...compareListing(publishing, listing), ...warnings],
      ...(missing && { missing }),
    };
  },
};

/** Lists lag: what is not shown is looked for twice more, and what was lost on the way has the time to show up. */
async function readSettled(publishing: Publishing): Promise<Shown> {
  const { settle_ms, has_lost_media, ports } = publishing;
  let shown: Shown | undefined;
  for (const pause_ms of [has_lost_media ? settle_ms : 0, settle_ms, settle_ms / 10]) {
    if (pause_ms > 0) {
      publishing.checkStop();
      await ports.clock.sleep(pause_ms);
    }
    shown = await readShown(publishing);
    if (isEverythingShown(publishing, shown)) break;
  }
  if (!shown) throw new Error('read at least once');
  return shown;
}

type Comparison = { field: keyof DraftListing; is_same: boolean };

function compareListing(publishing: Publishing, listing: MarketplaceListing): Warning[] {
  const { shop_plan, progress } = publishing;
  const { draft } = shop_plan;
  const told = new Set(progress.left_out.map(({ field }) => field));
  const compared: Comparison[] = [
    { field: 'title', is_same: foldText(listing.title) === foldText(draft.title) },
    { field: 'description', is_same: foldText(listing.description) === foldText(draft.description) },
    { field: 'listing_type', is_same: listing.listing_type === draft.listing_type },
    { field: 'price', is_same: Math.round(listing.price * 100) === Math.round(draft.price * 100) },
    ...(['tags', 'materials', 'styles'] as const).map((field) => ({
      field,
      is_same: draft[field] === undefined || isSameList(draft[field], listing[field]),
    })),
    ...SCALARS.map((field) => ({
      field,
      is_same: draft[field] === undefined || draft[field] === listing[field],
    })),
  ];
  const changed = compared
    .filter(({ field, is_same }) => !is_same && !told.has(field))
    .map(({ field }) => field);
  if (changed.length === 0) return [];
  const reason = `The marketplace has these differently from what was sent: ${changed.join(', ')}.`;
  const fields = changed.map((field) => toRequestPath(field, publishing));
  return [{ code: 'marketplace_changed', fields, reason }];
}

const SCALARS = [
  'taxonomy_id',
  'who_made',
  'when_made',
  'is_supply',
  'shipping_profile_id',
  'return_policy_id',
  'shop_section_id',
  'is_customizable',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
] as const satisfies readonly (keyof DraftListing & keyof MarketplaceListing)[];

function isSameList(sent: readonly string[], stored: readonly string[]): boolean {
  return foldList(sent) === foldList(stored);
}

function foldList(words: readonly string[]): string {
  return JSON.stringify(words.map((word) => foldText(word).toLowerCase()).sort());
}
