import type { Warning } from '../../../../schemas/job.js';
import type { KeptSnapshot, SnapshotPart, ListingSnapshot } from '../../ports/listing/snapshot.js';
import { UPDATED } from '../listing_fields.js';
import { compareSnapshots } from '../snapshot/compare.js';
import { isRelated, toLabel } from '../snapshot/field_refs.js';
import { hasValue, isKnown, isSameValue } from '../snapshot/difference.js';
import { listLosses } from './losses.js';
import { projectTarget } from './project.js';
import { buildTarget, type BuiltTarget } from './build_target.js';
import type { FieldDifference } from '../../../../schemas/field_ref.js';
import type { Overwriting } from '../../ports/listing/progress.js';
import type { ShopChanges } from '../../ports/listing/changes.js';
import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import type { Target, TargetVariationImage } from '../../ports/listing/target.js';
import type { Decision, ShopFacts } from './decision.js';
import type { ListingTranslation } from '../../ports/marketplace_listing.js';
import { findValue } from '../snapshot/compare_media.js';
import { foldValue } from '../rules/text.js';

type Fresh = Partial<ListingSnapshot>;

/**
 * The parts of a listing to read before deciding an update of it. Includes photos of variations wherever they may
 * be lost; the parts read first show whether the listing can have any.
 */
export function listParts({ action }: Pick<ShopPlan<ChangeAction>, 'action'>): SnapshotPart[] {
  if (action.kind !== 'change') throw new Error(`what a ${action.kind} reads is not decided here`);
  const { changes, pending } = action;
  const { fields, images, videos, files, inventory, variation_images, attributes, personalization } = changes;
  const isOffSale = inventory !== undefined && mayEmpty(inventory);
  const isInventory =
    [inventory, pending, images].some((part) => part !== undefined) || variation_images !== undefined;
  const parts: (SnapshotPart | false)[] = [
    'listing',
    images !== undefined && 'images',
    variation_images !== undefined && 'images',
    videos !== undefined && 'videos',
    files !== undefined && 'files',
    isInventory && 'inventory',
    isInventory && 'variation_images',
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

/** Whether the change affects fields that translations also have. */
function hasWords(fields: ShopChanges['fields']): boolean {
  return fields?.title !== undefined || fields?.description !== undefined || fields?.tags !== undefined;
}

/** Decides the target of one shop's listing, from the change and the current listing. Pure. */
export function decideShop({ update, baseline = {}, fresh }: ShopFacts): Decision {
  const { action, names } = update;
  if (action.kind !== 'change') throw new Error(`a ${action.kind} is not decided here`);
  if (fresh.listing?.state === 'removed') {
    return { kind: 'refused', problem: { code: 'listing_removed', params: {} }, fields: [] };
  }
  const built = buildTarget(action.changes, fresh, baseline.sources, action.pending, names);
  if ('refused' in built) return { kind: 'refused', ...built.refused };
  const { target, warnings } = withRestored(built, fresh);
  const pending = built.pending === undefined ? {} : { pending: built.pending };
  const touched = built.pending?.fields ?? [];
  const projected = projectTarget(fresh, target);
  const diff = [...compareSnapshots(fresh, projected, names), ...listUnknown(fresh, target)];
  const edited = compareSnapshots(baseline, fresh, names);
  const isTouched = ({ ref }: FieldDifference) =>
    [...diff, ...touched].some((change) => isRelated(change.ref, ref));
  const drift = edited.filter((difference) => difference.kind !== 'sold' && isTouched(difference));
  const taken_over = edited.filter((difference) => !isTouched(difference));
  if (drift.length > 0 && action.on_drift === 'refuse') return { kind: 'drift', drift, taken_over };
  const commonWarnings = [...warnings, ...listSold(edited, isTouched)];
  if (diff.length === 0) return { kind: 'unchanged', warnings: commonWarnings, taken_over, ...pending };
  return {
    kind: 'go',
    ...pending,
    target: withoutSame(target, fresh),
    diff,
    warnings: [...commonWarnings, ...listUnseen(diff, baseline), ...listLosses(fresh, target)],
    overwriting: drift.map(toOverwriting),
    taken_over,
  };
}

/** Fields that are written although their current value is unknown: they count as changed. */
function listUnknown({ listing }: Fresh, { fields = {} }: Target): FieldDifference[] {
  return UPDATED.filter((field) => listing && !isKnown(listing[field]) && isKnown(fields[field])).map(
    (field) => ({ ref: { part: 'fields', field }, before: null, after: fields[field], kind: 'set' }),
  );
}

function listSold(
  seen: readonly FieldDifference[],
  isTouched: (difference: FieldDifference) => boolean,
): Warning[] {
  return seen
    .filter(({ kind }) => kind === 'sold')
    .map((difference): Warning => {
      const { ref, before: was, after: is } = difference;
      const params = { was, is, since: 'seen' as const, is_overwritten: isTouched(difference) };
      const reason = { code: 'sold_meanwhile' as const, params };
      return { code: 'sold_meanwhile', level: 'note', fields: [toLabel(ref)], reason };
    });
}

export function toOverwriting({ ref, before, after }: FieldDifference): Overwriting {
  const reason = { code: 'overwritten' as const, params: { before, after } };
  return { ref, warning: { code: 'overwritten', fields: [toLabel(ref)], reason } };
}

/**
 * Warns about a listing whose last known state was never saved: an earlier release, which did not keep it, wrote
 * the listing.
 */
function listUnseen(diff: readonly FieldDifference[], { sources: _, ...baseline }: KeptSnapshot): Warning[] {
  if (Object.keys(baseline).length > 0) return [];
  const reason = { code: 'edits_unknown' as const, params: {} };
  return [{ code: 'not_checked', level: 'note', fields: diff.map(({ ref }) => toLabel(ref)), reason }];
}

/** The target without the parts that already match the listing, so that nothing is written for them. */
function withoutSame(target: Target, fresh: Fresh): Target {
  const { fields, ...parts } = target;
  const own = Object.entries(fields ?? {}).filter(
    ([field, value]) => !hasValue(fresh.listing?.[field as keyof typeof fresh.listing], value),
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

/**
 * Adds to the target the parts that its writes remove as a side effect, to write them again. A new title and taking
 * the listing off sale remove the translations; a new inventory and other photos remove the photos of variations.
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

/** Warns about translations whose original text changes. */
function listStale(
  fields: Target['fields'] = {},
  { listing }: Fresh,
  translations: readonly ListingTranslation[],
): Warning[] {
  const changed = (['title', 'description', 'tags'] as const).filter(
    (field) => fields[field] !== undefined && !isSameValue(fields[field], listing?.[field]),
  );
  if (changed.length === 0 || translations.length === 0) return [];
  const params = { languages: translations.map(({ language }) => language) };
  const reason = { code: 'translations_stale' as const, params };
  return [{ code: 'translation_stale', fields: changed.map((field) => `listing.${field}`), reason }];
}
