import { listingChanges, type ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../../schemas/listing_request.js';
import { quoteName, type Issue } from '../../../errors.js';
import { formatChoices } from '../../../text/choices.js';
import { GROUPS, REQUIRED_BY_REQUEST } from '../../listing_fields.js';
import { withOptionKeys } from '../../requests/option_keys.js';
import { patchOfferings, type OwnPrices } from './patch_offerings.js';
import { mergePatch } from './merge_patch.js';
import type { OfferingChange } from '../plan.js';

/** `changed`: paths of what the changes name, as in the request: `listing.title`, `images`, `category_attributes.200`, `shops[1].price`. */
export type Patched = {
  request: ListingRequest;
  changed: string[];
  issues: Issue[];
  /** Entries of changes.offerings that match no offering of the request. */
  missing: OfferingChange[];
};

/**
 * A listing's request with changes applied. Finds problems of the changes as such; their values are not checked here.
 * @param named the shops that alone are to be changed; all when left out
 * @param own_prices see there
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
    ...listLeftOut(shops ?? [], named),
  ];
  if (changed.length === 0 && offerings.length === 0 && issues.length === 0) {
    issues.push({
      path: 'changes',
      message: `${describeUnknown(changes)}; give the fields of listing_create that are to change, or offerings`,
    });
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

function describeUnknown(changes: ListingChanges): string {
  const unknown = Object.keys(changes).filter(isUnknown);
  if (unknown.length === 0) return 'names nothing to change';
  const names = unknown
    .slice(0, 5)
    .map((key) => quoteName(key))
    .join(', ');
  return `has only ${names}, which no listing has`;
}

const MEMBERS = ['listing', 'images', 'videos', 'digital_files', 'variations', 'personalization'] as const;

/** Unknown keys give a warning, and are not saved; null removes one that was saved before. */
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
  const issues: Issue[] = [];
  if (listing === null) issues.push({ path: 'changes.listing', message: REQUIRED_MESSAGE });
  if (shops === null) issues.push({ path: 'changes.shops', message: REQUIRED_MESSAGE });
  for (const field of REQUIRED_BY_REQUEST) {
    if (listing?.[field] === null)
      issues.push({ path: `changes.listing.${field}`, message: REQUIRED_MESSAGE });
  }
  return issues;
}

const REQUIRED_MESSAGE =
  'is null, which removes it, but a listing needs it; give a value, or leave it out to keep it';

function listUnknownShops({ shops: own }: ListingRequest, named: readonly { shop_id: number }[]): Issue[] {
  return named.flatMap(({ shop_id }, index) => {
    const path = `changes.shops[${index}].shop_id`;
    if (named.findIndex((other) => other.shop_id === shop_id) < index) {
      return [{ path, message: `is ${shop_id}, as before; name each shop once` }];
    }
    if (own.some((target) => target.shop_id === shop_id)) return [];
    return [{ path, message: describeUnknownShop(shop_id, own) }];
  });
}

/** Values of shops that the change is not for. */
function listLeftOut(own: readonly { shop_id: number }[], named: readonly number[] | undefined): Issue[] {
  return own.flatMap(({ shop_id }, index) =>
    named?.includes(shop_id) === false
      ? [
          {
            path: `changes.shops[${index}].shop_id`,
            message: `is ${shop_id}, which shops leaves out; name it there too, or leave its values out`,
          },
        ]
      : [],
  );
}

/** The end of a sentence about a shop that does not have the listing. */
export function describeUnknownShop(shop_id: number, own: ListingRequest['shops']): string {
  return `is ${shop_id}, no shop of this listing; it has ${formatChoices(own.map((target) => ({ id: target.shop_id })))}. listing_copy brings it to another shop`;
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

/** The paths that are named under a member; the member itself where it is removed. */
function under(name: string, value: object | null | undefined): string[] {
  if (value === undefined) return [];
  return value === null ? [name] : listKeys(value).map((key) => `${name}.${key}`);
}

/** Of a group of fields, each that is named. */
function listNames(fields: object): string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    GROUPS.has(key) ? under(key, value) : listKeys({ [key]: value }),
  );
}

function listKeys(value: object): string[] {
  return Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [key]));
}

/** Ids and names of values mean the same: where one of them is changed, the other is removed, and the scale with them. */
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

/** Values name their photos by position: with other photos, or in another order, the positions are moved so that each value keeps its photo. */
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
