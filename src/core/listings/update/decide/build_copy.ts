import type { ListingRequest, Offering } from '../../../../../schemas/listing_request.js';
import { isSameText } from '../../rules/text.js';
import { toOfferingKey } from '../../rules/variation_rules.js';
import type { FieldDifference } from '../../snapshot/compare.js';
import { isSameValue } from '../../snapshot/difference.js';
import type { OfferingChange, UpdatePlan, UpdateProgress } from '../plan.js';

/**
 * The listing's request once a job has ended: with the changes that at least one shop took, with the values of shops that do not have
 * the listing yet, and with edits by hand where all shops agree.
 * @param saved the request before the job
 * @param parts by shop of the job; `after` is null where it was not done
 */
export function buildCopy(
  plan: UpdatePlan,
  saved: ListingRequest,
  parts: ReadonlyMap<number, Pick<UpdateProgress, 'after' | 'taken_over'> | undefined>,
): ListingRequest {
  const isDone = (shop_id: number) => (parts.get(shop_id)?.after ?? null) !== null;
  const wanted = plan.request ?? saved;
  const isAny = plan.shops.some(({ shop_id }) => isDone(shop_id));
  const copy = structuredClone(isAny ? wanted : saved);
  const isPlanned = (shop_id: number) => plan.shops.some((planned) => planned.shop_id === shop_id);
  copy.shops = structuredClone(wanted.shops).map((target) => {
    const { shop_id } = target;
    // A shop that an update is not made in does not have the listing yet, so that its own values wait for no other shop.
    const isTaken = isPlanned(shop_id) ? isDone(shop_id) : isAny || plan.purpose === 'update';
    return isTaken ? target : (saved.shops.find((own) => own.shop_id === shop_id) ?? target);
  });
  if (!isAny) return copy;
  takeOver(copy, parts);
  takeText(copy, parts);
  return copy;
}

/** A value that all shops have becomes the listing's, also when that edit by hand was shown before. */
function takeText(
  copy: ListingRequest,
  parts: ReadonlyMap<number, Pick<UpdateProgress, 'after'> | undefined>,
): void {
  const [first, ...others] = copy.shops.map(({ shop_id }) => parts.get(shop_id)?.after?.listing);
  if (!first || others.includes(undefined)) return;
  for (const field of TEXT) {
    const isAgreed = others.every((other) => isSameValue(other?.[field], first[field]));
    if (isAgreed && !isSameValue(copy.listing[field] ?? [], first[field])) {
      Object.assign(copy.listing, { [field]: first[field] });
    }
  }
}

const TEXT = ['title', 'description', 'tags', 'materials'] as const;

/** Edits by hand that stay. A field of one shop is taken over from it; a field of the listing, where all shops have the same value. */
function takeOver(
  copy: ListingRequest,
  parts: ReadonlyMap<number, Pick<UpdateProgress, 'taken_over'> | undefined>,
): void {
  const shop_ids = copy.shops.map(({ shop_id }) => shop_id);
  const all = shop_ids.map((shop_id) => parts.get(shop_id)?.taken_over ?? []);
  const [first = []] = all;
  for (const difference of first) {
    const { field, after } = difference;
    const isAgreed = all.every((others) =>
      others.some((other) => other.field === field && isSameValue(other.after, after)),
    );
    if (isAgreed) take(copy, difference);
  }
}

/** Fields of the product that are edited by hand and that a request has in the same form. */
const OF_LISTING: ReadonlySet<string> = new Set([
  'title',
  'description',
  'tags',
  'materials',
  'who_made',
  'when_made',
  'is_supply',
  'is_taxable',
  'should_auto_renew',
  'item_weight',
  'item_weight_unit',
  'item_length',
  'item_width',
  'item_height',
  'item_dimensions_unit',
  'price',
  'quantity',
  'sku',
]);

function take(copy: ListingRequest, { field, after }: FieldDifference): void {
  const [, own] = /^listing\.(\w+)$/.exec(field) ?? [];
  if (own !== undefined && OF_LISTING.has(own)) set(copy.listing, own, after);
  const [, label, of] = /^variations\.offerings\[(.*)\]\.(price|quantity|sku|enabled)$/s.exec(field) ?? [];
  if (label !== undefined && of !== undefined) {
    const offering = (copy.variations?.offerings ?? []).find((one) => toLabel(copy, one) === label);
    if (offering) set(offering, of, after);
  }
}

function set(at: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null) delete at[key];
  else at[key] = value;
}

/** As differences name it: `Size: S, Color: Red`. */
function toLabel({ variations }: ListingRequest, offering: Offering): string {
  return (variations?.properties ?? [])
    .map(({ name }) => `${name}: ${String(offering[toOfferingKey(name)])}`)
    .join(', ');
}

/** Offerings of the request that a change matches, by SKU or by option values. */
export function findOfferings(
  { variations }: ListingRequest,
  { sku, values = [] }: OfferingChange['match'],
): Offering[] {
  return (variations?.offerings ?? []).filter((offering) => {
    if (sku !== undefined && offering.sku !== sku) return false;
    return values.every(({ name, value }) => {
      const own = offering[toOfferingKey(name)];
      return typeof own === 'string' && isSameText(own, value);
    });
  });
}
