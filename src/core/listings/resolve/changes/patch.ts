import { listingChanges, type ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import type { Issue, Path } from '../../../../../schemas/issue.js';
import type { OfferingChange } from '../../../ports/listing/changes.js';
import { GROUPS, REQUIRED_BY_REQUEST } from '../../listing_fields.js';
import { withOptionKeys } from '../../requests/option_keys.js';
import { patchOfferings, type OwnPrices } from './patch_offerings.js';
import { mergePatch } from '../../requests/own_changes.js';

/**
 * `changed`: paths of the fields the changes name, as in the request: `listing.title`, `images`,
 * `category_attributes.200`, `shops[1].price`.
 */
export type Patched = {
  request: ListingRequest;
  changed: string[];
  issues: Issue[];
  /** Entries of changes.offerings that match no offering of the request. */
  missing: OfferingChange[];
};

/**
 * Applies changes to a listing's request. Reports problems of the changes themselves; does not check their values.
 * @param named the only shops to change; if omitted, all
 * @param own_prices see OwnPrices
 */
export function patchRequest(
  saved: ListingRequest,
  changes: ListingChanges,
  named?: readonly number[],
  own_prices: OwnPrices = 'written',
): Patched {
  const { shops, offerings = [], category_attributes, ...patch } = changes;
  const changed = listChanged(saved, changes);
  const issues = [
    ...listMissing(changes),
    ...listUnknownShops(saved, shops ?? []),
    ...checkOwnValues(shops ?? [], named),
  ];
  if (changed.length === 0 && offerings.length === 0 && issues.length === 0) {
    const unknown = Object.keys(changes).filter(isUnknown).slice(0, MOST_KEYS);
    issues.push({ code: 'nothing_to_change', at: 'changes', params: { unknown } });
  }
  if (issues.length > 0) return { request: saved, changed, issues, missing: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a patch that its schema let pass, with all that is required
  const request = mergePatch(saved, onlyKnown(patch)) as ListingRequest;
  if (category_attributes !== undefined) patchAttributes(request, saved, category_attributes);
  request.shops = saved.shops.map((target) => {
    const own = shops?.find(({ shop_id }) => shop_id === target.shop_id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return own ? (mergePatch(target, own) as typeof target) : target;
  });
  if (changes.images !== undefined && changes.variations?.variation_images === undefined) {
    keepPhotosOfValues(request, saved);
  }
  return { ...patchOfferings(withOptionKeys(request), offerings, named, own_prices), changed };
}

/** At most this many unknown keys are named. */
const MOST_KEYS = 5;

const MEMBERS = ['listing', 'images', 'videos', 'digital_files', 'variations', 'personalization'] as const;

/** Unknown keys cause a warning and are not saved; null removes one saved earlier. */
function onlyKnown(patch: Record<string, unknown>): Record<string, unknown> {
  const members: readonly string[] = MEMBERS;
  return Object.fromEntries(
    Object.entries(patch).filter(
      ([key, value]) => members.includes(key) || (value === null && isUnknown(key)),
    ),
  );
}

function isUnknown(key: string): boolean {
  return !Object.hasOwn(listingChanges.shape, key);
}

function listMissing({ listing, shops }: ListingChanges): Issue[] {
  const places = [
    ...(listing === null ? ['changes.listing'] : []),
    ...(shops === null ? ['changes.shops'] : []),
    ...REQUIRED_BY_REQUEST.filter((field) => listing?.[field] === null).map(
      (field) => `changes.listing.${field}`,
    ),
  ];
  return places.map((at) => ({ code: 'null_refused', at, params: { of: 'listing' } }));
}

function listUnknownShops({ shops: own }: ListingRequest, named: readonly { shop_id: number }[]): Issue[] {
  return named.flatMap(({ shop_id }, index): Issue[] => {
    const at = `changes.shops[${index}].shop_id`;
    if (named.findIndex((other) => other.shop_id === shop_id) < index) {
      return [{ code: 'shop_named_before', at, params: { shop_id } }];
    }
    if (own.some((target) => target.shop_id === shop_id)) return [];
    return [buildUnknownShop(shop_id, own, at)];
  });
}

/** Values for shops outside the change. */
function checkOwnValues(own: readonly { shop_id: number }[], named: readonly number[] | undefined): Issue[] {
  return own.flatMap(({ shop_id }, index) =>
    named?.includes(shop_id) === false
      ? [{ code: 'shop_not_asked', at: `changes.shops[${index}].shop_id`, params: { shop_id } }]
      : [],
  );
}

/** The problem of a shop that does not have the listing. */
export function buildUnknownShop(shop_id: number, own: ListingRequest['shops'], at: Path): Issue {
  const choices = own.map((target) => ({ id: target.shop_id }));
  return { code: 'shop_of_other_listing', at, params: { shop_id, choices, can_copy: true } };
}

function listChanged(saved: ListingRequest, changes: ListingChanges): string[] {
  const { listing, variations, category_attributes: attributes, personalization, shops } = changes;
  return [
    ...Object.keys(changes).filter((key) => isUnknown(key) && changes[key] === null),
    ...(listing === null ? ['listing'] : listNames(listing ?? {}).map((name) => `listing.${name}`)),
    ...(['images', 'videos', 'digital_files'] as const).filter((name) => changes[name] !== undefined),
    ...under('variations', variations),
    ...under('category_attributes', attributes),
    ...under('personalization', personalization),
    ...(shops ?? []).flatMap(({ shop_id, ...own }) => {
      const index = saved.shops.findIndex((target) => target.shop_id === shop_id);
      return listNames(own).map((name) => `shops[${index}].${name}`);
    }),
  ];
}

/** The paths named under a member; the member itself if it is removed. */
function under(name: string, value: object | null | undefined): string[] {
  if (value === undefined) return [];
  return value === null ? [name] : listKeys(value).map((key) => `${name}.${key}`);
}

/** For a group of fields, each named one. */
function listNames(fields: object): string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    GROUPS.has(key) ? under(key, value) : listKeys({ [key]: value }),
  );
}

function listKeys(value: object): string[] {
  return Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [key]));
}

/** Ids and names of values are equivalent: changing one of them removes the other, along with the scale. */
function patchAttributes(
  request: ListingRequest,
  saved: ListingRequest,
  changes: NonNullable<ListingChanges['category_attributes']> | null,
): void {
  if (changes === null) {
    delete request.category_attributes;
    return;
  }
  const attributes = { ...saved.category_attributes };
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) delete attributes[key];
    else {
      const isNew = change.values !== undefined || change.value_ids !== undefined;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema let it pass
      attributes[key] = mergePatch(isNew ? {} : attributes[key], change) as (typeof attributes)[string];
    }
  }
  request.category_attributes = attributes;
  if (Object.keys(attributes).length === 0) delete request.category_attributes;
}

/**
 * Values name their photos by position. If the photos or their order change, this adjusts the positions so that
 * each value keeps its photo.
 */
function keepPhotosOfValues(request: ListingRequest, saved: ListingRequest): void {
  const photos = request.variations?.variation_images;
  if (!photos?.mapping) return;
  const mapping = Object.entries(photos.mapping).flatMap(([value, index]) => {
    const url = saved.images?.[index]?.url;
    const at = (request.images ?? []).findIndex((image) => image.url === url);
    return at === -1 ? [] : [[value, at] as const];
  });
  const { variation_images: _, ...others } = request.variations ?? {};
  request.variations =
    mapping.length > 0
      ? { ...others, variation_images: { ...photos, mapping: Object.fromEntries(mapping) } }
      : others;
}
