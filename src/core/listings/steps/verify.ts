import type { Warning } from '../../../../schemas/job.js';
import type { DraftListing, ListingImage, MarketplaceListing } from '../../ports/index.js';
import { foldText } from '../reconcile.js';
import { toRequestPath } from '../request_paths.js';
import { callRepeatably, toStepError } from './attempt.js';
import { getListingId, type Publishing, type Step } from './step.js';

/** Reads the listing back: what the marketplace silently dropped or changed becomes a warning. */
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
    const { shop, ports, progress } = publishing;
    const listing_id = getListingId(publishing);
    try {
      const { listing, images } = await callRepeatably(publishing, () =>
        ports.marketplace.getListingWithImages(shop, listing_id),
      );
      publishing.fresh = listing;
      progress.listing_url = listing.url;
      const image_warnings = compareImages(publishing, images);
      takeFreshImages(publishing, images);
      publishing.report('read back');
      return { warnings: [...compareListing(publishing, listing), ...image_warnings] };
    } catch (cause) {
      throw toStepError(cause, 'The listing could not be read back');
    }
  },
};

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

function compareImages({ plan, progress }: Publishing, there: readonly ListingImage[]): Warning[] {
  const sent = plan.images.flatMap((_, index) => progress.images[index]?.listing_image_id ?? []);
  const stored = [...there].sort((a, b) => a.rank - b.rank).map(({ listing_image_id }) => listing_image_id);
  if (JSON.stringify(sent) === JSON.stringify(stored)) return [];
  const reason = `The marketplace shows ${stored.length} images where ${sent.length} were sent, or in another order.`;
  return [{ code: 'marketplace_changed', fields: ['images'], reason }];
}

/** The marketplace fills addresses and ranks in later. */
function takeFreshImages({ progress }: Publishing, there: readonly ListingImage[]): void {
  for (const [index, image] of Object.entries(progress.images)) {
    const fresh = there.find(({ listing_image_id }) => listing_image_id === image.listing_image_id);
    if (fresh) progress.images[Number(index)] = fresh;
  }
}
