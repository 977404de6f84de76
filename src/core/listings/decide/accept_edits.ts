import type { FieldDifference, FieldRef, OfferingKey } from '../../../../schemas/field_ref.js';
import type { FieldName } from '../../../../schemas/listing_fields.js';
import type { ListingRequest, Offering, ShopTarget } from '../../../../schemas/listing_request.js';
import type { ChangeProgress } from '../../ports/listing/progress.js';
import type { ListingSnapshot } from '../../ports/listing/snapshot.js';
import { isSameOffering, isSameRef, isStock, OFFERING_NAMES } from '../snapshot/field_refs.js';
import {
  acceptsEdit,
  OF_LISTING,
  OF_SHOP,
  READ_BY_BUYERS,
  toName,
  giveToEach,
  setAt,
  SHARED,
} from '../listing_fields.js';
import { toPlainText, toSource } from '../rules/html.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { isSameValue } from '../snapshot/difference.js';

/** The outcome of a job by shop; `after` is null if it was not done. */
export type Outcomes = ReadonlyMap<number, Pick<ChangeProgress, 'after' | 'taken_over'> | undefined>;

/**
 * Whether the saved request accepts a manual edit of the field. Other edits are kept only in the shop's snapshot.
 */
export function isAcceptable(ref: FieldRef): boolean {
  if (ref.part === 'fields') return acceptsEdit(ref.field);
  if (ref.part !== 'inventory' || ref.field === undefined) return false;
  // Only an offering can be disabled. Its processing profile is shown by name.
  return ref.field !== (isOnly(ref.offering) ? 'is_enabled' : 'readiness_state_id');
}

/** Whether it belongs to a listing without variations, whose fields are those of the listing. */
function isOnly(offering: OfferingKey): boolean {
  return offering.length === 0;
}

/** The price that shops share, or a shop's own price. */
export function isPrice({ ref }: FieldDifference): boolean {
  return ref.part === 'inventory' && isOnly(ref.offering) && ref.field === 'price';
}

/** By shop_id, the request as each shop has it. */
type Views = ReadonlyMap<number, ListingRequest>;

/**
 * Accepts manual edits from the shops in which the job was done. A value becomes that shop's own; the shops share a
 * value that all of them have.
 * @param copy the request that the shops share
 */
export function acceptEdits(copy: ListingRequest, views: Views, parts: Outcomes): void {
  const listAccepted = ({ shop_id }: ShopTarget): FieldDifference[] => {
    const part = parts.get(shop_id);
    return part?.after ? part.taken_over : [];
  };
  const all = copy.shops.map(listAccepted);
  const acceptEverywhere = (difference: FieldDifference) => {
    for (const request of [copy, ...views.values()]) acceptEdit(request, difference);
  };
  for (const difference of all[0] ?? []) {
    if (!isPrice(difference) && isAgreed(all, difference)) acceptEverywhere(difference);
  }
  acceptPrices(copy, listAccepted, acceptEverywhere);
  for (const target of copy.shops) {
    const view = views.get(target.shop_id);
    for (const difference of listAccepted(target)) {
      acceptOfShop(target, difference.ref, parts.get(target.shop_id)?.after ?? {}, (shared) =>
        giveToEach(copy, shared, views),
      );
      // Sales lower stock, so it differs from shop to shop.
      if (view && !isPrice(difference) && !isStock(difference.ref)) acceptEdit(view, difference);
    }
  }
  acceptTexts(copy, views, parts);
  shareSame(copy, views);
}

/** Makes every value shared in which all shops agree and differ from the shared request. */
function shareSame(copy: ListingRequest, views: Views): void {
  const [first, ...others] = views.values();
  if (!first) return;
  const isAgreedOn = (read: (request: ListingRequest) => unknown) =>
    !isSameValue(read(first), read(copy)) && others.every((view) => isSameValue(read(view), read(first)));
  for (const name of new Set([...Object.keys(first.listing), ...Object.keys(copy.listing)])) {
    if (isAgreedOn(({ listing }) => listing[name])) set(copy.listing, name, first.listing[name] ?? null);
  }
  for (const name of MEMBERS) {
    if (isAgreedOn((request) => request[name])) set(copy, name, structuredClone(first[name] ?? null));
  }
}

const MEMBERS = [
  'images',
  'videos',
  'digital_files',
  'variations',
  'personalization',
  'category_attributes',
] as const;

function isAgreed(all: readonly FieldDifference[][], { ref, after }: FieldDifference): boolean {
  return all.every((taken) =>
    taken.some((other) => isSameRef(other.ref, ref) && isSameValue(other.after, after)),
  );
}

/** A shop's own price stays its own; so does a price that the other shops no longer share. */
function acceptPrices(
  copy: ListingRequest,
  listAccepted: (target: ShopTarget) => FieldDifference[],
  acceptEverywhere: (difference: FieldDifference) => void,
): void {
  const findPrice = (target: ShopTarget) => listAccepted(target).find(isPrice);
  const sharing = copy.shops.filter(({ price }) => price === undefined);
  const first = sharing[0] && findPrice(sharing[0]);
  const isShared = first !== undefined && isAgreed(sharing.map(listAccepted), first);
  if (isShared) acceptEverywhere(first);
  for (const target of copy.shops) {
    const after = findPrice(target)?.after;
    if (typeof after === 'number' && !(isShared && target.price === undefined)) target.price = after;
  }
}

/** Differences show ids by name, so this takes the ids from the final read. */
function acceptOfShop(
  target: ShopTarget,
  ref: FieldRef,
  { listing, inventory }: Partial<ListingSnapshot>,
  separate: (fields: readonly FieldName[]) => void,
): void {
  if (ref.part !== 'fields' && !(ref.part === 'inventory' && isOnly(ref.offering))) return;
  const own = OF_SHOP.find((one) => one === ref.field);
  if (own === undefined) return;
  if (own === 'readiness_state_id')
    setAt(target, toName(own), inventory?.products[0]?.readiness_state_id ?? null);
  else if (listing) {
    // Removed in this shop: the others keep the value they shared with it.
    separate(SHARED.filter((one) => one === own && listing[one] === null));
    setAt(target, toName(own), orNull(listing[own]));
  }
}

function orNull(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/**
 * A text that all shops have becomes the listing's, even if an earlier job found the same edit in one shop first.
 */
function acceptTexts(copy: ListingRequest, views: Views, parts: Outcomes): void {
  const [first, ...others] = copy.shops.map(({ shop_id }) => parts.get(shop_id)?.after?.listing);
  if (!first || others.includes(undefined)) return;
  for (const field of READ_BY_BUYERS) {
    const isSame = others.every((other) => isSameValue(other?.[field], first[field]));
    const { description } = copy.listing;
    const own = field === 'description' ? toPlainText(description).text : (copy.listing[field] ?? []);
    if (!isSame || isSameValue(own, first[field])) continue;
    const value = field === 'description' ? toSource(first.description) : first[field];
    for (const { listing } of [copy, ...views.values()]) Object.assign(listing, { [field]: value });
  }
}

/** Accepts a manual edit into a request, if the request has the field in the same form. */
export function acceptEdit(copy: ListingRequest, { ref, after }: FieldDifference): void {
  if (!isAcceptable(ref)) return;
  if (ref.part === 'inventory' && ref.field && !isOnly(ref.offering)) {
    const offering = copy.variations?.offerings?.find((one) =>
      isSameOffering(readOptions(copy, one), ref.offering),
    );
    if (offering) set(offering, OFFERING_NAMES[ref.field], after);
    return;
  }
  const own = OF_LISTING.find((one) => 'field' in ref && one === ref.field);
  // A request always sells something, even if the listing is sold out.
  if (own === undefined || (own === 'quantity' && after === 0)) return;
  setAt(copy.listing, toName(own), after);
}

function set(at: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null) delete at[key];
  else at[key] = value;
}

function readOptions({ variations }: ListingRequest, offering: Offering): OfferingKey {
  return (variations?.properties ?? []).map(({ name, property_id }) => ({
    name,
    property_id,
    value: String(offering[toOfferingKey(name)]),
  }));
}
