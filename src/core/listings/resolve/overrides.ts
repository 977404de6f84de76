import type { ListingChanges } from '../../../../schemas/listing_changes.js';
import type {
  ListingRequest,
  Offering,
  OfferingPatch,
  Overrides,
} from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import { applyOwnChanges } from '../requests/own_changes.js';
import { isSameText } from '../rules/text.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { isSameValue } from '../snapshot/difference.js';
import { isOptionKey, listAllOfferings } from './changes/patch_offerings.js';

/*
 * Callers pass and see the values of a single shop as overrides. They are stored as the shop's own changes (see
 * own_changes.ts), except for a given price, which is stored in shops[].
 */

/** The parts of a change that overrides cannot name. */
const OTHER_MEMBERS = [
  'images',
  'videos',
  'digital_files',
  'personalization',
  'category_attributes',
] as const;
const OF_OFFERING = ['price', 'quantity', 'enabled'] as const;

type Given = Overrides | null;

/** Undefined if the change has no overrides for this shop. */
export function findOverrides({ shops }: ListingChanges, shop_id: number): Given | undefined {
  return shops?.find((own) => own.shop_id === shop_id)?.overrides;
}

/** The change without overrides, and without shops that have nothing else in it. */
export function withoutOverrides({ shops, ...changes }: ListingChanges): ListingChanges {
  if (!shops) return { ...changes, ...(shops === null && { shops }) };
  const left = shops
    .map(({ overrides, ...own }) => ({ own, isGiven: overrides !== undefined }))
    .filter(({ own, isGiven }) => !isGiven || Object.keys(own).length > 1)
    .map(({ own }) => own);
  return { ...changes, ...((left.length > 0 || shops.length === 0) && { shops: left }) };
}

type OverridePlace = {
  shop_id: number;
  /** The shop's values before the change. */
  before: ListingRequest;
  /** The values the shops share after it; they replace values that are no longer overridden. */
  common: ListingRequest;
};

/** The change for one shop: the change for all shops, overlaid with the values for this shop only. */
export function withOverrides(changes: ListingChanges, given: Given, place: OverridePlace): ListingChanges {
  const { before, common, shop_id } = place;
  const isVaried = hasProperties(changes.variations ?? before.variations);
  const offerings = given === null || given.offerings === null ? listShared(place) : (given.offerings ?? []);
  const { own, others } = isVaried ? { own: {}, others: offerings } : splitOnly(offerings, before);
  const named =
    given === null || given.listing === null ? toShared(place) : toFields(given.listing ?? {}, common);
  const price = own.price ?? given?.listing?.price;
  const listing = {
    ...changes.listing,
    ...named,
    ...(own.quantity !== undefined && { quantity: own.quantity }),
    ...(own.sku_new !== undefined && { sku: own.sku_new }),
  };
  const all = [...(changes.offerings ?? []), ...others];
  return {
    ...changes,
    ...(given === null && toSharedMembers(place)),
    ...(Object.keys(listing).length > 0 && { listing }),
    ...(all.length > 0 && { offerings: all }),
    ...(price !== undefined && { shops: withPrice(changes.shops ?? [], shop_id, price) }),
  };
}

function hasProperties(
  variations: { properties?: unknown[] | null | undefined } | null | undefined,
): boolean {
  return (variations?.properties?.length ?? 0) > 0;
}

/** Fields with null take the values of the other shops. A given price goes to the shop in shops[]. */
function toFields({ price, ...given }: NonNullable<Overrides['listing']>, { listing }: ListingRequest) {
  const fields = Object.entries(given).map(([field, value]) => [field, value ?? listing[field] ?? null]);
  return { ...Object.fromEntries(fields), ...(price === null && { price: listing.price ?? null }) };
}

/** The fields in which the shop differs from the others, with the values of the others. */
function toShared({ before, common }: OverridePlace): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before.listing), ...Object.keys(common.listing)])];
  const differing = names.filter((name) => !isSameValue(before.listing[name], common.listing[name]));
  return Object.fromEntries(differing.map((name) => [name, common.listing[name] ?? null]));
}

function toSharedMembers({ before, common }: OverridePlace): ListingChanges {
  const differing = OTHER_MEMBERS.filter((name) => !isSameValue(before[name], common[name]));
  return Object.fromEntries(differing.map((name) => [name, common[name] ?? null]));
}

/** The combinations in which the shop differs from the others, with the values of the others. */
function listShared({ before, common }: OverridePlace): OfferingPatch[] {
  return listOfferingDifferences(before, common) ?? [];
}

/** The values for the only offering; entries that do not match it, and so are problems, stay among the others. */
function splitOnly(offerings: readonly OfferingPatch[], { listing }: ListingRequest) {
  const fits = ({ sku, enabled, ...entry }: OfferingPatch) =>
    (sku === undefined || sku === listing.sku) &&
    enabled === undefined &&
    !Object.keys(entry).some(isOptionKey);
  const own: Pick<OfferingPatch, 'price' | 'quantity' | 'sku_new'> = Object.assign(
    {},
    ...offerings.filter(fits),
  );
  return { own, others: offerings.filter((entry) => !fits(entry)) };
}

function withPrice(
  shops: NonNullable<ListingChanges['shops']>,
  shop_id: number,
  price: number | null,
): NonNullable<ListingChanges['shops']> {
  const own = shops.find((target) => target.shop_id === shop_id);
  return [...shops.filter((target) => target !== own), { price, ...own, shop_id }];
}

/**
 * The own changes of one shop in the form of overrides. Changes that overrides cannot express appear under the name
 * of their member.
 */
export function showOverrides(
  request: ListingRequest,
  changes: OwnChanges['changes'],
): Record<string, unknown> | undefined {
  if (changes === undefined) return undefined;
  const { variations, ...members } = changes;
  if (variations === undefined) return members;
  const offerings = listOfferingDifferences(request, applyOwnChanges(request, changes));
  if (offerings === undefined) return changes;
  const shown = { ...members, ...(offerings.length > 0 && { offerings }) };
  return Object.keys(shown).length > 0 ? shown : undefined;
}

/**
 * The changes of single combinations that turn the offerings of `from` into those of `to`; undefined if single
 * changes cannot express the difference.
 */
export function listOfferingDifferences(
  from: ListingRequest,
  to: ListingRequest,
): OfferingPatch[] | undefined {
  const { offerings: _from, ...was } = from.variations ?? {};
  const { offerings: _to, ...is } = to.variations ?? {};
  if (!isSameValue(was, is)) return undefined;
  const keys = (is.properties ?? []).map(({ name }) => toOfferingKey(name));
  const toKey = (offering: Offering) => JSON.stringify(keys.map((key) => offering[key]));
  const known = new Map(listAllOfferings(from).map((offering) => [toKey(offering), offering]));
  const found: OfferingPatch[] = [];
  const all = listAllOfferings(to);
  if (all.length !== known.size) return undefined;
  for (const offering of all) {
    const before = known.get(toKey(offering));
    if (!before) return undefined;
    const names = [...new Set([...Object.keys(before), ...Object.keys(offering)])];
    const differing = names.filter((name) => !isSameValue(before[name], offering[name]));
    if (differing.some((name) => !isSayable(name) || offering[name] === undefined)) return undefined;
    if (differing.length === 0) continue;
    const values = differing.map((name) => [name === 'sku' ? 'sku_new' : name, offering[name]]);
    found.push(Object.fromEntries([...keys.map((key) => [key, offering[key]]), ...values]) as OfferingPatch);
  }
  return found;
}

function isSayable(name: string): boolean {
  return name === 'sku' || OF_OFFERING.some((field) => field === name);
}

/**
 * The path of a problem within the overrides, starting with `at`, the path of the overrides; undefined if they do
 * not name it.
 */
export function findOverridePath(
  path: string,
  overrides: Given | undefined,
  request: ListingRequest,
  at: string,
): string | undefined {
  const { listing, offerings } = overrides ?? {};
  const [, index, ofOffering] = /^variations\.offerings\[(\d+)\]\.(\w+)/.exec(path) ?? [];
  const offering = request.variations?.offerings?.[Number(index)];
  const name = /^shops\[\d+\]\.price$/.test(path) ? 'price' : /^listing\.(\w+)/.exec(path)?.[1];
  if (name !== undefined && listing?.[name] != null) {
    return `${at}.listing${path.startsWith('listing') ? path.slice('listing'.length) : `.${name}`}`;
  }
  const field = toPatchName(ofOffering ?? name);
  if (field === undefined) return undefined;
  const isMeant = (entry: OfferingPatch) =>
    entry[field] !== undefined &&
    (ofOffering === undefined ? !hasProperties(request.variations) : matches(entry, offering));
  const place = offerings?.findIndex(isMeant) ?? -1;
  return place === -1 ? undefined : `${at}.offerings[${place}].${field}`;
}

function toPatchName(name: string | undefined): string | undefined {
  return name === 'sku' ? 'sku_new' : name;
}

function matches(entry: OfferingPatch, offering: Offering | undefined): boolean {
  if (!offering) return false;
  const { sku, sku_new = sku } = entry;
  const isOfSku = sku === undefined || offering.sku === sku_new;
  return (
    isOfSku &&
    Object.entries(entry).every(
      ([key, value]) => !isOptionKey(key) || isSameText(String(offering[key]), String(value)),
    )
  );
}
