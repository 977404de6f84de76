import type { Issue } from '../../../../schemas/issue.js';
import { getAt, getRow, MADE, SHARED_IDS, toName, toPath } from '../listing_fields.js';
import type { PartialRequest } from './partial.js';
import { isVintage } from './when_made.js';

/** Rules about more than one field. Each lists all problems it finds. */
export const REQUEST_RULES: readonly ((request: PartialRequest, year: number) => Issue[])[] = [
  checkShopsOnce,
  checkPhysicalShops,
  checkIdsOfShops,
  checkMadeTogether,
  checkMadeByOthers,
  checkProcessingRange,
  checkPriceAndQuantity,
  checkImages,
  checkDigital,
  checkAttributes,
];

function checkShopsOnce({ shops = [] }: PartialRequest): Issue[] {
  const seen = new Map<number, number>();
  return shops.flatMap((shop, index) => {
    if (shop?.shop_id === undefined) return [];
    const first = seen.get(shop.shop_id);
    if (first === undefined) {
      seen.set(shop.shop_id, index);
      return [];
    }
    return [{ code: 'shop_repeated', at: `shops[${index}].shop_id`, params: { first } }];
  });
}

function checkPhysicalShops({ listing, shops = [] }: PartialRequest): Issue[] {
  if (listing?.listing_type !== 'physical') return [];
  return shops.flatMap((shop, index) =>
    (['shipping_profile_id', 'return_policy_id'] as const)
      .filter((field) => shop !== undefined && shop[field] === undefined)
      .map((field) => ({ code: 'physical_required', at: `shops[${index}].${field}`, params: {} })),
  );
}

function checkMadeTogether({ listing }: PartialRequest): Issue[] {
  const missing = MADE.filter((field) => listing?.[field] === undefined);
  if (!listing || missing.length === 0 || missing.length === MADE.length) return [];
  return missing.map((field) => ({ code: 'made_together', at: `listing.${field}`, params: {} }));
}

/** An id that belongs to one shop cannot apply to several. */
function checkIdsOfShops({ listing, shops = [] }: PartialRequest): Issue[] {
  if (!listing || shops.length < 2) return [];
  return SHARED_IDS.filter((field) => isKnownId(getAt(listing, toName(field)))).map((field) => ({
    code: 'id_of_one_shop',
    at: getRow(field).shared ?? toPath(field),
    params: { shops: shops.length, place: toPath(field) },
  }));
}

function isKnownId(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * Items that someone else makes now are sold as supplies, or with the production partner; vintage items may be from
 * anyone.
 */
function checkMadeByOthers({ listing, shops = [] }: PartialRequest, year: number): Issue[] {
  const { who_made, when_made, is_supply } = listing ?? {};
  if (who_made !== 'someone_else' || is_supply !== false || typeof when_made !== 'string') return [];
  if (isVintage(when_made, year)) return [];
  return shops.flatMap((shop, index) =>
    shop === undefined || (shop.production_partner_ids ?? []).length > 0
      ? []
      : [{ code: 'partner_required', at: `shops[${index}].production_partner_ids`, params: {} }],
  );
}

function checkProcessingRange({ listing }: PartialRequest): Issue[] {
  const { processing_min: min, processing_max: max } = listing ?? {};
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return [];
  return [{ code: 'processing_range', at: 'listing.processing_min', params: { least: min, most: max } }];
}

function checkPriceAndQuantity({ listing, variations }: PartialRequest): Issue[] {
  if (!listing) return [];
  const offerings = variations?.offerings ?? [];
  return (['price', 'quantity'] as const)
    .filter((field) => listing[field] === undefined)
    .filter(
      (field) =>
        offerings.length === 0 || offerings.some((offering) => offering && !Object.hasOwn(offering, field)),
    )
    .map((field) => ({ code: 'offer_required', at: `listing.${field}`, params: { field } }));
}

function checkImages({ state, images }: PartialRequest): Issue[] {
  if (images === undefined) {
    return state === 'active' ? [{ code: 'photos_required', at: 'images', params: {} }] : [];
  }
  const ranks = images.map((image) => image?.rank);
  const without = ranks.flatMap((rank, index) => (rank === undefined ? [index] : []));
  if (without.length > 0 && without.length < images.length) {
    return without.map((index) => ({ code: 'rank_missing', at: `images[${index}].rank`, params: {} }));
  }
  return ranks.flatMap((rank, index) => {
    const first = ranks.indexOf(rank);
    if (rank === undefined || first === index) return [];
    return [{ code: 'rank_repeated', at: `images[${index}].rank`, params: { rank, first } }];
  });
}

function checkDigital({ listing, digital_files: files, variations }: PartialRequest): Issue[] {
  if (listing?.listing_type === 'physical' && files !== undefined && files.length > 0) {
    return [{ code: 'files_of_physical', at: 'digital_files', params: {} }];
  }
  if (listing?.listing_type !== 'digital') return [];
  const issues: Issue[] = listSameNames(files);
  if (files === undefined || files.length === 0) {
    issues.push({ code: 'files_required', at: 'digital_files', params: {} });
  }
  if ((variations?.properties?.length ?? 0) > 0 || (variations?.offerings?.length ?? 0) > 0) {
    issues.push({ code: 'variations_of_digital', at: 'variations', params: {} });
  }
  return issues;
}

/** Buyers see the names, and could not distinguish two files with the same name. */
function listSameNames(files: PartialRequest['digital_files'] = []): Issue[] {
  const names = files.map((file) => file?.name?.toLowerCase());
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (name === undefined || first === index) return [];
    return [{ code: 'file_name_repeated', at: `digital_files[${index}].name`, params: { first } }];
  });
}

/** Whether a key of category_attributes can be an id. */
export function isPropertyId(key: string): boolean {
  return /^[1-9]\d{0,15}$/.test(key);
}

function checkAttributes({ category_attributes: attributes = {} }: PartialRequest): Issue[] {
  return Object.entries(attributes).flatMap(([key, attribute]) => {
    const at = `category_attributes.${key}`;
    const issues: Issue[] = [];
    if (!isPropertyId(key)) issues.push({ code: 'attribute_key_wrong', at, params: {} });
    const { value_ids: ids = [], values = [] } = attribute ?? {};
    const isFoundBefore = Object.values(attribute ?? {}).includes(undefined);
    if (ids.length === 0 && values.length === 0 && !isFoundBefore) {
      issues.push({ code: 'attribute_empty', at, params: {} });
    }
    if (ids.length > 0 && values.length > 0 && ids.length !== values.length) {
      const params = { values: values.length, ids: ids.length };
      issues.push({ code: 'attribute_counts', at: `${at}.values`, params });
    }
    return issues;
  });
}
