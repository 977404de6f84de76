import type { Warning } from '../../../../schemas/job.js';
import type { ChangeAction } from '../../ports/listing/plan.js';
import type { SnapshotPart, ListingSnapshot } from '../../ports/listing/snapshot.js';
import type { Inventory, MarketplaceListing } from '../../ports/marketplace_listing.js';
import { FIXED, RESTORED } from '../listing_fields.js';
import { toSighting, costsFee } from '../observed/sighting.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isKnown, isSameValue } from '../snapshot/difference.js';
import { restoreInventory } from './restore_inventory.js';
import { buildNotUndone, restoreAttributes, restoreValuePhotos, type ValuePhoto } from './restore_parts.js';
import { restoreQuestions } from './restore_questions.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { IdNames } from '../../ports/listing/difference.js';
import type { Target } from '../../ports/listing/target.js';

export type RestoreAction = Extract<ChangeAction, { kind: 'restore' }>;
type Snapshot = Partial<ListingSnapshot>;

/** Photos of variations need the inventory, which has the names of their values. */
export function pickPart({ inventory, ...snapshot }: Snapshot, part: SnapshotPart): Snapshot {
  if (part === 'inventory') return inventory ? { inventory } : {};
  return part === 'variation_images'
    ? { variation_images: snapshot.variation_images ?? [], ...(inventory && { inventory }) }
    : { [part]: snapshot[part] };
}

/**
 * The target of an undo. `drift`: fields of the job that someone else has edited since, for parts that are compared
 * piece by piece.
 */
export function buildRestored(
  action: RestoreAction,
  fresh: Snapshot,
  names: IdNames,
  now: Date,
): { target: Target; warnings: Warning[]; drift: FieldDifference[] } {
  const { before, after, kept = {} } = action;
  const target: Target = {};
  const warnings: Warning[] = [];
  const drift: FieldDifference[] = [];
  const has = (part: SnapshotPart) =>
    before[part] !== undefined &&
    after[part] !== undefined &&
    compareSnapshots(pickPart(before, part), pickPart(after, part)).length > 0;

  const fields = restoreFields(before.listing, after.listing);
  if (Object.keys(fields).length > 0) target.fields = fields;
  warnings.push(...listUnwritable(before.listing, after.listing));
  if (before.images && has('images')) {
    target.images = before.images.map(({ listing_image_id: id, alt_text }) => ({
      id,
      file: kept[id] ?? null,
      alt_text,
    }));
  }
  if (before.videos && has('videos')) {
    target.videos = before.videos.map(({ video_id: id }) => ({ id, file: null }));
  }
  if (has('files')) restoreFiles(before, after, fresh, target, warnings);
  if (before.inventory && after.inventory && fresh.inventory && has('inventory')) {
    const restored = restoreInventory(before.inventory, after.inventory, fresh.inventory, names);
    target.inventory = restored.inventory;
    warnings.push(...restored.warnings);
    drift.push(...restored.drift);
  }
  if (before.attributes && after.attributes && fresh.attributes && has('attributes')) {
    target.attributes = restoreAttributes(before.attributes, after.attributes, fresh.attributes);
  }
  if (before.questions && after.questions && fresh.questions && has('questions')) {
    const restored = restoreQuestions(before.questions, after.questions, fresh.questions);
    target.questions = restored.questions;
    drift.push(...restored.drift);
  }
  restoreTranslations(before, after, fresh, target, warnings);
  if (has('variation_images') || target.images || target.inventory) {
    const photos = restoreValuePhotos(before, after, fresh);
    target.variation_images = listVariationImages(photos, target.inventory ?? fresh.inventory, target);
  }
  restoreState(action, fresh.listing, now, target, warnings);
  return { target, warnings, drift };
}

function restoreFields(
  before: MarketplaceListing | undefined,
  after: MarketplaceListing | undefined,
): NonNullable<Target['fields']> {
  if (!before || !after) return {};
  const changed = RESTORED.filter(
    (field) => isKnown(before[field]) && isKnown(after[field]) && !isSameValue(before[field], after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, before[field]]));
}

function listUnwritable(
  before: MarketplaceListing | undefined,
  after: MarketplaceListing | undefined,
): Warning[] {
  if (!before || !after) return [];
  const lost = ([...FIXED, 'listing_type'] as const).filter(
    (field) => !isSameValue(before[field], after[field]),
  );
  return lost.map((field) => buildNotUndone(`listing.${field}`, { code: 'undo_fixed_field', params: {} }));
}

/** The marketplace gives a digital file only to buyers, so a removed file is lost. */
function restoreFiles(
  { files: was = [] }: Snapshot,
  { files: became = [] }: Snapshot,
  { files: is = [] }: Snapshot,
  target: Target,
  warnings: Warning[],
): void {
  const gone = was.filter((file) => !is.map(getId).includes(getId(file)));
  const added = new Set(became.map(getId).filter((id) => !was.map(getId).includes(id)));
  for (const { filename } of gone) {
    warnings.push(buildNotUndone('digital_files', { code: 'undo_file_gone', params: { filename } }));
  }
  const left = was.filter((file) => !gone.includes(file));
  const others = is.filter((file) => !added.has(getId(file)) && !was.map(getId).includes(getId(file)));
  // Without a file a digital listing would become physical, so the files the job sent stay.
  const files = left.length + others.length > 0 ? [...left, ...others] : is;
  if (files === is && added.size > 0) {
    warnings.push(buildNotUndone('digital_files', { code: 'undo_files_stay', params: {} }));
  }
  target.files = files.map((file) => ({ id: getId(file), file: null }));
}

function getId({ listing_file_id }: { listing_file_id: number }): number {
  return listing_file_id;
}

function restoreTranslations(
  before: Snapshot,
  after: Snapshot,
  fresh: Snapshot,
  target: Target,
  warnings: Warning[],
): void {
  const was = before.translations ?? [];
  const is = fresh.translations ?? [];
  const became = after.translations ?? [];
  const isWritten = compareSnapshots({ translations: was }, { translations: became }).length > 0;
  for (const { language } of isWritten ? became : []) {
    if (was.some((one) => one.language === language)) continue;
    warnings.push(buildNotUndone(`translations.${language}`, { code: 'undo_translation_stays', params: {} }));
  }
  const back = isWritten ? was : [];
  const others = is.filter(({ language }) => !back.some((one) => one.language === language));
  if (back.length + others.length > 0) target.translations = [...back, ...others];
}

/** The photos of variations whose value and photo both exist in the target. */
function listVariationImages(
  photos: readonly ValuePhoto[],
  inventory: Inventory | undefined,
  { images }: Target,
): NonNullable<Target['variation_images']> {
  return photos.flatMap(({ property_id, value, image_id }) => {
    if (images && !images.some(({ id }) => id === image_id)) return [];
    const isThere = inventory?.products.some(({ property_values }) =>
      property_values.some((own) => own.property_id === property_id && own.values.includes(value)),
    );
    return isThere === false ? [] : [{ property_id, value, image: { id: image_id } }];
  });
}

/** The state to restore, if the job put the listing on sale or took it off. */
function restoreState(
  { before: { listing: before }, after: { listing: after } }: Pick<RestoreAction, 'before' | 'after'>,
  fresh: MarketplaceListing | undefined,
  now: Date,
  target: Target,
  warnings: Warning[],
): void {
  if (!before || !fresh || before.state === after?.state || before.state === fresh.state) return;
  if (before.state === 'active') {
    if (costsFee(toSighting(fresh), now)) {
      const params = { state: fresh.state };
      warnings.push(buildNotUndone('state', { code: 'undo_costs_fee', params }));
    } else target.state = 'active';
    return;
  }
  if (fresh.state !== 'active') return;
  target.state = 'inactive';
  if (before.state === 'inactive') return;
  warnings.push(buildNotUndone('state', { code: 'undo_fee_spent', params: { state: before.state } }));
}
