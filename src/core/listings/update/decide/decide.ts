import type { Warning } from '../../../../../schemas/job.js';
import type {
  ListingAttribute,
  ListingQuestion,
  ListingTranslation,
} from '../../../ports/marketplace_listing.js';
import { toAdopted } from '../../snapshot/adopted.js';
import { compareSnapshots, type FieldDifference } from '../../snapshot/compare.js';
import { findValue } from '../../snapshot/compare_media.js';
import { QUESTION_TEXT } from '../../snapshot/compare_words.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { KeptSnapshot, ListingSnapshot, MediaSources, SnapshotPart } from '../../snapshot/snapshot.js';
import { foldValue } from '../../publish/steps/read_back.js';
import { decideFiles, decideImages, decideVideos } from './decide_media.js';
import { decideInventory } from './decide_inventory.js';
import { listLosses } from './losses.js';
import type { Decision, ShopChanges, ShopFacts, ShopUpdate, Target, TargetVariationImage } from '../plan.js';
import { projectTarget } from './project.js';

export { buildCopy, listOwn } from './build_copy.js';

type Fresh = Partial<ListingSnapshot>;

/**
 * The parts of a listing that have to be read before an update of it can be decided. Photos of variations are among them wherever
 * they may be lost; the parts that are read first tell whether the listing can have any.
 */
export function listParts({ action }: Pick<ShopUpdate, 'action'>): SnapshotPart[] {
  if (action.kind !== 'change') throw new Error(`what a ${action.kind} reads is not decided here`);
  const { changes } = action;
  const { fields, images, videos, files, inventory, variation_images, attributes, personalization } = changes;
  const isOffSale = inventory !== undefined && mayEmpty(inventory);
  const parts: (SnapshotPart | false)[] = [
    'listing',
    images !== undefined && 'images',
    variation_images !== undefined && 'images',
    videos !== undefined && 'videos',
    files !== undefined && 'files',
    (inventory !== undefined || images !== undefined || variation_images !== undefined) && 'inventory',
    (inventory !== undefined || images !== undefined || variation_images !== undefined) && 'variation_images',
    attributes !== undefined && 'attributes',
    personalization !== undefined && 'questions',
    (isOffSale || hasWords(fields)) && 'translations',
  ];
  return [...new Set(parts.filter((part) => part !== false))];
}

/** Whether the change may leave nothing to sell. */
function mayEmpty(change: NonNullable<ShopChanges['inventory']>): boolean {
  return change.kind === 'offerings'
    ? change.offerings.some(({ set }) => set.quantity === 0 || set.is_enabled === false)
    : change.inventory.products.some(({ quantity, is_enabled }) => quantity === 0 || !is_enabled);
}

/** Whether the change is in fields that translations have too. */
function hasWords(fields: ShopChanges['fields']): boolean {
  return fields?.title !== undefined || fields?.description !== undefined || fields?.tags !== undefined;
}

/** Decides the target of one shop's listing, from the change and the listing as it is now. Pure. */
export function decideShop({ update, baseline = {}, fresh }: ShopFacts): Decision {
  const { action, names } = update;
  if (action.kind !== 'change') throw new Error(`a ${action.kind} is not decided here`);
  if (fresh.listing?.state === 'removed') {
    return { kind: 'refused', error: 'the listing was removed there', fields: [] };
  }
  const built = buildTarget(action.changes, fresh, baseline.sources);
  if ('refused' in built) return { kind: 'refused', ...built.refused };
  const { target, warnings } = withRestored(built, fresh);
  const projected = projectTarget(fresh, target);
  const diff = compareSnapshots(fresh, projected, names);
  const seen = compareSnapshots(baseline, fresh, names);
  // What was shown to a caller since the saved request has taken it over is no drift, and still to be taken over and told.
  const edited = compareSnapshots(toAdopted(baseline), fresh, names);
  const isTouched = ({ field }: FieldDifference) => diff.some((change) => isRelated(change.field, field));
  const drift = seen.filter((difference) => difference.kind !== 'sold' && isTouched(difference));
  const taken_over = edited.filter((difference) => !isTouched(difference));
  if (drift.length > 0 && action.on_drift === 'refuse') {
    return {
      kind: 'drift',
      drift: drift.map(({ field, before, after }) => ({ field, ours: before, theirs: after })),
      taken_over,
    };
  }
  const commonWarnings = [...warnings, ...listSold(edited, isTouched)];
  if (diff.length === 0) return { kind: 'unchanged', warnings: commonWarnings, taken_over };
  return {
    kind: 'go',
    target: withoutSame(target, fresh),
    diff,
    warnings: [
      ...commonWarnings,
      ...listOverwritten(drift),
      ...listUnseen(diff, baseline),
      ...listLosses(fresh, target),
    ],
    taken_over,
  };
}

type BuiltTarget = { target: Target; warnings: Warning[] };

/** Builds the target of each part that the change names. */
function buildTarget(
  changes: ShopChanges,
  fresh: Fresh,
  sources: MediaSources | undefined,
): BuiltTarget | { refused: { error: string; fields: string[] } } {
  const target: Target = {};
  const warnings: Warning[] = [];
  if (changes.fields) target.fields = changes.fields;
  if (changes.images && fresh.images) {
    target.images = decideImages(changes.images, fresh.images, toIds(sources?.images));
    const missing = changes.images.find((_, index) => isNowhere(target.images?.[index]));
    if (missing) return { refused: { error: NOWHERE, fields: [missing.path] } };
    if (target.images.length === 0 && fresh.listing?.state === 'active') {
      return { refused: { error: 'a listing that is on sale needs a photo', fields: ['changes.images'] } };
    }
  }
  if (changes.videos && fresh.videos) {
    target.videos = decideVideos(changes.videos, fresh.videos, toIds(sources?.videos));
  }
  if (changes.files && fresh.files) target.files = decideFiles(changes.files, fresh.files);
  if (changes.inventory && fresh.inventory) {
    const decided = decideInventory(changes.inventory, fresh.inventory);
    if ('refused' in decided) return decided;
    const offSale = decided.is_empty ? toOffSale(fresh) : undefined;
    if (offSale) {
      warnings.push(offSale.warning);
      if (offSale.target) Object.assign(target, offSale.target);
    } else {
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
  return { target, warnings };
}

const NOWHERE = 'that photo is not on the listing there, and its bytes are not here; upload it again';

function isNowhere(media: { id: number | null; file: unknown } | undefined): boolean {
  return media?.id === null && media.file === null;
}

function toIds(sources: Record<string, string> = {}): Set<number> {
  return new Set(Object.keys(sources).map(Number));
}

/** The marketplace refuses a listing without stock, so it goes off sale, and its stock stays as it is. */
function toOffSale({ listing }: Fresh): { warning: Warning; target?: Pick<Target, 'state'> } {
  const fields = ['changes.offerings'];
  const state = listing?.state;
  if (state === 'active') {
    const reason =
      'Nothing would be left to sell, which the marketplace refuses. The listing is taken off sale instead, and keeps the stock, prices and SKUs that it has there; listing_publish with state active, and this shop in shops, puts it back.';
    return { warning: { code: 'off_sale', fields, reason }, target: { state: 'inactive' } };
  }
  const reason = `Nothing would be left to sell, which the marketplace refuses. The listing is ${state ?? 'not on sale'} there already and stays as it is.`;
  return { warning: { code: 'off_sale', fields, reason } };
}

function buildNoStock(path: string): Warning {
  const reason =
    'It is put on sale, and has no stock there, so that nobody can buy it; give a quantity with it.';
  return { code: 'no_stock', fields: [path], reason };
}

/** A caller who writes stock into a sold-out listing expects it to be on sale. */
const SOLD_OUT: Warning = {
  code: 'sold_out',
  fields: ['state'],
  reason:
    'The listing is sold out there and stays so, with new stock too. listing_publish with state active, this shop in shops, and stock puts it back on sale, and asks before a fee.',
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

/** This service writes the first free-text question; all others stay as they are. Switched off, personalization has no question at all. */
function decideQuestions(
  { enabled, is_required, instructions, max_chars }: NonNullable<ShopChanges['personalization']>,
  fresh: readonly ListingQuestion[],
): ListingQuestion[] {
  if (!enabled) return [];
  const own = fresh.findIndex(({ question_type }) => question_type === 'text_input');
  const known: ListingQuestion = fresh[own] ?? {
    question_id: null,
    question_type: 'text_input',
    question_text: QUESTION_TEXT,
    instructions: null,
    required: false,
    max_allowed_characters: 256,
    max_allowed_files: null,
    options: [],
    add_on_price: null,
  };
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
): { images: TargetVariationImage[] } | { refused: { error: string; fields: string[] } } {
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
      const error = 'that photo is not known to be on the listing there; name it in changes.images too';
      return { refused: { error, fields: [photo.path] } };
    }
  }
  return { images };
}

/**
 * Adds to the target the parts that its writes remove as a side effect, to be written again: a new title and being taken off sale
 * remove the translations; a new inventory and other photos remove the photos of variations.
 */
function withRestored({ target, warnings }: BuiltTarget, fresh: Fresh): BuiltTarget {
  const { fields, images, inventory, variation_images, state } = target;
  const restored: Target = { ...target };
  const isNewTitle = fields?.title !== undefined && !isSameValue(fields.title, fresh.listing?.title);
  const translations = fresh.translations ?? [];
  if ((isNewTitle || state === 'inactive') && translations.length > 0) restored.translations = translations;
  if ((images || inventory) && variation_images === undefined && fresh.variation_images?.length) {
    restored.variation_images = keepVariationImages(restored, fresh);
  }
  return { target: restored, warnings: [...warnings, ...listStale(fields, fresh, translations)] };
}

/** The photos of variations whose value and photo both stay. */
function keepVariationImages({ images, inventory }: Target, fresh: Fresh): TargetVariationImage[] {
  const products = (inventory ?? fresh.inventory)?.products;
  return (fresh.variation_images ?? []).flatMap(({ property_id, value_id, value, image_id }) => {
    const name = value ?? findValue(fresh, property_id, value_id);
    if (name === undefined || (images && !images.some(({ id }) => id === image_id))) return [];
    const isThere = (products ?? []).some(({ property_values }) =>
      property_values.some(
        (own) =>
          own.property_id === property_id && own.values.some((one) => foldValue(one) === foldValue(name)),
      ),
    );
    return isThere ? [{ property_id, value: name, image: { id: image_id } }] : [];
  });
}

/** Warns of translations whose original text changes. */
function listStale(
  fields: Target['fields'] = {},
  { listing }: Fresh,
  translations: readonly ListingTranslation[],
): Warning[] {
  const changed = (['title', 'description', 'tags'] as const).filter(
    (field) => fields[field] !== undefined && !isSameValue(fields[field], listing?.[field]),
  );
  if (changed.length === 0 || translations.length === 0) return [];
  const languages = translations.map(({ language }) => language).join(', ');
  const reason = `The listing is translated (${languages}); the translations stay as they are and say what it said before.`;
  return [{ code: 'translation_stale', fields: changed.map((field) => `listing.${field}`), reason }];
}

/** Whether writing one field may overwrite the other: they are the same, or one is a part of the other. All photos are one field. */
export function isRelated(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a) || (a.startsWith('images') && b.startsWith('images'));
}

function isWithin(whole: string, part: string): boolean {
  return part === whole || (part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length)));
}

function listSold(
  seen: readonly FieldDifference[],
  isTouched: (difference: FieldDifference) => boolean,
): Warning[] {
  return seen
    .filter(({ kind }) => kind === 'sold')
    .map((difference) => {
      const { field, before, after } = difference;
      const then = isTouched(difference) ? 'it is set as asked for' : 'that stays';
      return {
        code: 'sold_meanwhile',
        level: 'note' as const,
        fields: [field],
        reason: `It was ${String(before)} when last seen here and is ${String(after)} there now, as sales make it; ${then}.`,
      };
    });
}

function listOverwritten(drift: readonly FieldDifference[]): Warning[] {
  return drift.map(({ field, before, after }) => ({
    code: 'overwritten',
    fields: [field],
    reason: `It was changed there by other hands, from ${JSON.stringify(before)} to ${JSON.stringify(after)}, and is written over.`,
  }));
}

/** Warns about a listing whose last known state was never saved: it was written by a release that did not keep it. */
function listUnseen(diff: readonly FieldDifference[], { sources: _, ...baseline }: KeptSnapshot): Warning[] {
  if (Object.keys(baseline).length > 0) return [];
  const reason =
    'The listing as it was last written is not known here, so changes by other hands could not be told.';
  return [{ code: 'not_checked', level: 'note', fields: diff.map(({ field }) => field), reason }];
}

/** The target without the parts that the listing already has as wanted, so that nothing is written for them. */
function withoutSame(target: Target, fresh: Fresh): Target {
  const { fields, ...parts } = target;
  const own = Object.entries(fields ?? {}).filter(
    ([field, value]) => !isSameValue(value, fresh.listing?.[field as keyof typeof fresh.listing]),
  );
  const remaining: Target = own.length > 0 ? { fields: Object.fromEntries(own) } : {};
  for (const part of Object.keys(parts) as (keyof typeof parts)[]) {
    const isRestored = part === 'translations' || part === 'variation_images';
    if (isRestored || compareSnapshots(fresh, projectTarget(fresh, { [part]: parts[part] })).length > 0) {
      Object.assign(remaining, { [part]: parts[part] });
    }
  }
  const isWritten = remaining.images !== undefined || remaining.inventory !== undefined;
  const variationImageDiff = compareSnapshots(
    fresh,
    projectTarget(fresh, { variation_images: target.variation_images ?? [] }),
  );
  if (!isWritten && variationImageDiff.length === 0) delete remaining.variation_images;
  return remaining;
}
