import { formatCount } from '../../text/format_count.js';
import type { Issue } from '../../errors.js';
import { getAt, getRow, MADE, SHARED_IDS, toName, toPath } from '../listing_fields.js';
import type { PartialRequest } from './partial.js';
import { isVintage } from './when_made.js';

/** Rules that look at more than one field. Each tells all it finds. */
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
    return [
      {
        path: `shops[${index}].shop_id`,
        message: `is the same shop as shops[${first}]; name each shop once`,
      },
    ];
  });
}

function checkPhysicalShops({ listing, shops = [] }: PartialRequest): Issue[] {
  if (listing?.listing_type !== 'physical') return [];
  return shops.flatMap((shop, index) =>
    (['shipping_profile_id', 'return_policy_id'] as const)
      .filter((field) => shop !== undefined && shop[field] === undefined)
      .map((field) => ({
        path: `shops[${index}].${field}`,
        message: 'is required for a physical listing; store_sync lists the ids',
      })),
  );
}

function checkMadeTogether({ listing }: PartialRequest): Issue[] {
  const missing = MADE.filter((field) => listing?.[field] === undefined);
  if (!listing || missing.length === 0 || missing.length === MADE.length) return [];
  return missing.map((field) => ({
    path: `listing.${field}`,
    message: 'is missing; give who_made, when_made and is_supply together, or none of them',
  }));
}

/** An id that belongs to one shop cannot be that of several. */
function checkIdsOfShops({ listing, shops = [] }: PartialRequest): Issue[] {
  if (!listing || shops.length < 2) return [];
  return SHARED_IDS.filter((field) => isKnownId(getAt(listing, toName(field)))).map((field) => ({
    path: getRow(field).shared ?? toPath(field),
    message: `is an id of one shop, and the listing has ${shops.length} shops; give it for each of them, as ${toPath(field)}`,
  }));
}

function isKnownId(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What someone else makes now is sold as a supply, or with the partner who makes it; what is vintage may be anybody's. */
function checkMadeByOthers({ listing, shops = [] }: PartialRequest, year: number): Issue[] {
  const { who_made, when_made, is_supply } = listing ?? {};
  if (who_made !== 'someone_else' || is_supply !== false || typeof when_made !== 'string') return [];
  if (isVintage(when_made, year)) return [];
  return shops.flatMap((shop, index) =>
    shop === undefined || (shop.production_partner_ids ?? []).length > 0
      ? []
      : [
          {
            path: `shops[${index}].production_partner_ids`,
            message:
              'is required for a product that someone else makes: the marketplace takes none without a production partner. Name the partner, or correct listing.who_made',
          },
        ],
  );
}

function checkProcessingRange({ listing }: PartialRequest): Issue[] {
  const { processing_min: min, processing_max: max } = listing ?? {};
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return [];
  return [{ path: 'listing.processing_min', message: `is ${min}, more than processing_max (${max})` }];
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
    .map((field) => ({
      path: `listing.${field}`,
      message: `is required unless every offering has a ${field}`,
    }));
}

function checkImages({ state, images }: PartialRequest): Issue[] {
  if (images === undefined) {
    return state === 'active'
      ? [{ path: 'images', message: 'is required for state active; give 1 to 10 images' }]
      : [];
  }
  const ranks = images.map((image) => image?.rank);
  const without = ranks.flatMap((rank, index) => (rank === undefined ? [index] : []));
  if (without.length > 0 && without.length < images.length) {
    return without.map((index) => ({
      path: `images[${index}].rank`,
      message: 'is missing; give every image a rank, or none',
    }));
  }
  return ranks.flatMap((rank, index) => {
    const first = ranks.indexOf(rank);
    if (rank === undefined || first === index) return [];
    return [
      {
        path: `images[${index}].rank`,
        message: `is ${rank}, as is that of images[${first}]; use each rank once`,
      },
    ];
  });
}

function checkDigital({ listing, digital_files: files, variations }: PartialRequest): Issue[] {
  if (listing?.listing_type === 'physical' && files !== undefined && files.length > 0) {
    return [
      {
        path: 'digital_files',
        message: 'is not for physical listings: a file would turn the listing digital',
      },
    ];
  }
  if (listing?.listing_type !== 'digital') return [];
  const issues: Issue[] = listSameNames(files);
  if (files === undefined || files.length === 0) {
    issues.push({ path: 'digital_files', message: 'is required for a digital listing; give 1 to 5 files' });
  }
  if ((variations?.properties?.length ?? 0) > 0 || (variations?.offerings?.length ?? 0) > 0) {
    issues.push({
      path: 'variations',
      message: 'is not for digital listings: the marketplace has none there',
    });
  }
  return issues;
}

/** Buyers see the names, and find two of one name only with luck. */
function listSameNames(files: PartialRequest['digital_files'] = []): Issue[] {
  const names = files.map((file) => file?.name?.toLowerCase());
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (name === undefined || first === index) return [];
    return [
      {
        path: `digital_files[${index}].name`,
        message: `is the name of digital_files[${first}] too; give each file its own`,
      },
    ];
  });
}

/** Whether a key of category_attributes can be an id at all. */
export function isPropertyId(key: string): boolean {
  return /^[1-9]\d{0,15}$/.test(key);
}

function checkAttributes({ category_attributes: attributes = {} }: PartialRequest): Issue[] {
  return Object.entries(attributes).flatMap(([key, attribute]) => {
    const path = `category_attributes.${key}`;
    const issues: Issue[] = [];
    if (!isPropertyId(key))
      issues.push({ path, message: 'is not a property id; keys are property ids of listing_schema' });
    const { value_ids: ids = [], values = [] } = attribute ?? {};
    const isToldBefore = Object.values(attribute ?? {}).includes(undefined);
    if (ids.length === 0 && values.length === 0 && !isToldBefore)
      issues.push({ path, message: 'has no value; give value_ids from listing_schema' });
    if (ids.length > 0 && values.length > 0 && ids.length !== values.length) {
      issues.push({
        path: `${path}.values`,
        message: `has ${formatCount(values.length, 'value')} for ${formatCount(ids.length, 'value id')}; give one for each`,
      });
    }
    return issues;
  });
}
