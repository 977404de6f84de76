import type { Refusal } from '../../../../schemas/issues/update_warnings.js';
import type { Warning } from '../../../../schemas/job.js';
import type { Pending, ShopChanges } from '../../ports/listing/changes.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { ListingSnapshot, MediaSources } from '../../ports/listing/snapshot.js';
import type { Target, TargetVariationImage } from '../../ports/listing/target.js';
import type { ListingAttribute, ListingQuestion } from '../../ports/marketplace_listing.js';
import { PLAIN_QUESTION } from '../snapshot/compare_words.js';
import { decideFiles, decideImages, decideVideos } from './decide_media.js';
import { compareInventories } from '../snapshot/compare_inventory.js';
import { toOffSale, withFormerStock } from './keep_for_stock.js';
import {
  buildPendingWarning,
  decideChanges,
  hasStock,
  joinChanges,
  NOT_PENDING,
  withoutStock,
} from './pending.js';

type Fresh = Partial<ListingSnapshot>;

/** `pending`: the new value; null: nothing. Omitted: unchanged. */
export type BuiltTarget = { target: Target; warnings: Warning[]; pending?: Pending | null };

/** Builds the target of each part the change names. */
export function buildTarget(
  changes: ShopChanges,
  fresh: Fresh,
  sources: MediaSources | undefined,
  earlier: Pending | undefined,
  names: IdNames,
): BuiltTarget | { refused: { problem: Refusal; fields: string[] } } {
  const target: Target = {};
  const warnings: Warning[] = [];
  let pending: Pending | null | undefined;
  if (changes.fields) target.fields = changes.fields;
  if (changes.images && fresh.images) {
    target.images = decideImages(changes.images, fresh.images, toIds(sources?.images));
    const missing = changes.images.find((_, index) => isNowhere(target.images?.[index]));
    if (missing) return { refused: { problem: NOWHERE, fields: [missing.path] } };
    if (target.images.length === 0 && fresh.listing?.state === 'active') {
      const problem = { code: 'photo_needed' as const, params: {} };
      return { refused: { problem, fields: ['changes.images'] } };
    }
  }
  if (changes.videos && fresh.videos) {
    target.videos = decideVideos(changes.videos, fresh.videos, toIds(sources?.videos));
  }
  if (changes.files && fresh.files) target.files = decideFiles(changes.files, fresh.files);
  if ((changes.inventory || earlier) && fresh.inventory) {
    let all = joinChanges(earlier, changes.inventory);
    let decided = decideChanges(all, fresh.inventory);
    if ('refused' in decided && earlier) {
      warnings.push(NOT_PENDING);
      all = joinChanges(undefined, changes.inventory);
      decided = decideChanges(all, fresh.inventory);
    }
    if ('refused' in decided) return decided;
    const kept =
      decided.is_empty && !hasStock(fresh.inventory)
        ? compareInventories(fresh.inventory, decided.inventory, names)
        : [];
    pending = kept.length > 0 ? { changes: withoutStock(all), fields: kept } : null;
    const offSale =
      decided.is_empty && changes.inventory ? toOffSale(fresh, ['changes.offerings']) : undefined;
    if (pending) {
      warnings.push(buildPendingWarning(kept));
    } else if (offSale) {
      warnings.push(offSale.warning);
      if (offSale.target) Object.assign(target, offSale.target);
      const inventory = withFormerStock(decided.inventory, fresh.inventory);
      if (inventory) target.inventory = inventory;
    } else if (!decided.is_empty) {
      target.inventory = decided.inventory;
      warnings.push(...decided.no_stock.map(buildNoStock));
      if (fresh.listing?.state === 'sold_out') warnings.push(SOLD_OUT);
    }
  }
  if (changes.attributes && fresh.attributes) {
    target.attributes = decideAttributes(changes.attributes, fresh.attributes);
  }
  if (changes.personalization && fresh.questions) {
    target.questions = decideQuestions(changes.personalization, fresh.questions);
  }
  if (changes.variation_images !== undefined) {
    const decided = decideVariationImages(changes.variation_images, target, fresh);
    if ('refused' in decided) return decided;
    target.variation_images = decided.images;
  }
  return { target, warnings, ...(pending !== undefined && { pending }) };
}

const NOWHERE = { code: 'photo_nowhere' as const, params: {} };

function isNowhere(media: { id: number | null; file: unknown } | undefined): boolean {
  return media?.id === null && media.file === null;
}

function toIds(sources: Record<string, string> = {}): Set<number> {
  return new Set(Object.keys(sources).map(Number));
}

function buildNoStock(path: string): Warning {
  const reason = { code: 'no_stock' as const, params: {} };
  return { code: 'no_stock', fields: [path], reason };
}

/** A caller who sets stock on a sold-out listing expects it to go on sale. */
const SOLD_OUT: Warning = {
  code: 'sold_out',
  fields: ['state'],
  reason: { code: 'sold_out_stays', params: {} },
};

function decideAttributes(
  changes: NonNullable<ShopChanges['attributes']>,
  fresh: readonly ListingAttribute[],
): ListingAttribute[] {
  const kept = fresh.map((known) => {
    const change = changes.find(({ property_id }) => property_id === known.property_id);
    return change ? change.attribute : known;
  });
  const added = changes
    .filter(({ property_id }) => !fresh.some((known) => known.property_id === property_id))
    .map(({ attribute }) => attribute);
  return [...kept, ...added].filter((attribute) => attribute !== null);
}

/**
 * This service writes the first free-text question and leaves all others unchanged. Switched off, personalization
 * has no question at all.
 */
function decideQuestions(
  { enabled, is_required, instructions, max_chars }: NonNullable<ShopChanges['personalization']>,
  fresh: readonly ListingQuestion[],
): ListingQuestion[] {
  if (!enabled) return [];
  const own = fresh.findIndex(({ question_type }) => question_type === 'text_input');
  const known: ListingQuestion = fresh[own] ?? PLAIN_QUESTION;
  const changed = {
    ...known,
    required: is_required ?? known.required,
    instructions: instructions === undefined ? known.instructions : instructions,
    max_allowed_characters: max_chars ?? known.max_allowed_characters,
  };
  return own === -1 ? [...fresh, changed] : fresh.with(own, changed);
}

function decideVariationImages(
  wanted: Exclude<ShopChanges['variation_images'], undefined>,
  target: Target,
  fresh: Fresh,
): { images: TargetVariationImage[] } | { refused: { problem: Refusal; fields: string[] } } {
  const images: TargetVariationImage[] = [];
  for (const { value, photo } of wanted?.images ?? []) {
    const position = target.images?.findIndex(({ file }) => file !== null && file.url === photo.url) ?? -1;
    const known = fresh.images?.find(
      ({ listing_image_id, url_fullxfull }) => listing_image_id === photo.id || url_fullxfull === photo.url,
    );
    const property_id = wanted?.property_id ?? 0;
    if (known) images.push({ property_id, value, image: { id: known.listing_image_id } });
    else if (position >= 0) images.push({ property_id, value, image: { position } });
    else {
      const problem = { code: 'photo_not_there' as const, params: {} };
      return { refused: { problem, fields: [photo.path] } };
    }
  }
  return { images };
}
