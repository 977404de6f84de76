import type { Issue } from '../../../../schemas/issue.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { PartialRequest } from './partial.js';
import { foldCase } from '../../text/fold_case.js';
import { cutChars, foldValue } from './text.js';

type PartialVariations = NonNullable<PartialRequest['variations']>;
type PartialProperty = NonNullable<NonNullable<PartialVariations['properties']>[number]>;

/** Keys of an offering that cannot be the name of a property. */
const OFFERING_KEYS: ReadonlySet<string> = new Set([
  'price',
  'quantity',
  'sku',
  'enabled',
  'processing_profile_id',
]);

/** The key under which offerings give a property's value: the API's "lowercased property name". */
export function toOfferingKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Whether a key of an offering is a different spelling of a property's key: `strasse` for Straße. */
export function isOfferingKeyOf(key: string, name: string): boolean {
  return foldCase(key.trim()) === foldCase(name.trim());
}

/** Whether the key is one of an offering's own fields rather than a property. */
export function isOfferingKey(key: string): boolean {
  return OFFERING_KEYS.has(key);
}

/** Checks properties, offerings and photo mapping against each other. */
export function checkVariations({ variations, images, listing }: PartialRequest): Issue[] {
  if (!variations) return [];
  const properties = variations.properties ?? [];
  const named = properties.filter((property): property is PartialProperty => property?.name !== undefined);
  return [
    ...checkProperties(properties),
    ...checkOfferingShape(variations, named, properties.length),
    ...checkOfferings(variations, named, listing?.quantity),
    ...checkSkus(variations),
    ...checkMapping(variations, images?.length ?? 0),
  ];
}

function checkProperties(properties: readonly (PartialProperty | undefined)[]): Issue[] {
  const ids = properties.map((property) => property?.property_id);
  const keys = properties.map((property) => property?.name && toOfferingKey(property.name));
  return properties.flatMap((property, index) => {
    const at = `variations.properties[${index}]`;
    const issues: Issue[] = [];
    const key = keys[index];
    if (key && OFFERING_KEYS.has(key)) {
      issues.push({ code: 'option_name_reserved', at: `${at}.name`, params: { name: key } });
    }
    if (key && keys.indexOf(key) < index) {
      issues.push({ code: 'option_name_repeated', at: `${at}.name`, params: {} });
    }
    if (ids[index] !== undefined && ids.indexOf(ids[index]) < index) {
      issues.push({ code: 'option_id_repeated', at: `${at}.property_id`, params: {} });
    }
    const values = (property?.values ?? []).map((value) => value && foldValue(value));
    values.forEach((value, position) => {
      const first = values.indexOf(value);
      if (value !== undefined && first < position) {
        issues.push({ code: 'option_value_repeated', at: `${at}.values[${position}]`, params: { first } });
      }
    });
    return issues;
  });
}

function checkOfferingShape(
  { offerings = [] }: PartialVariations,
  named: readonly PartialProperty[],
  count: number,
): Issue[] {
  if (offerings.length > 0 && count === 0) {
    return [{ code: 'options_missing', at: 'variations.properties', params: {} }];
  }
  const seen = new Map<string, number>();
  return offerings.flatMap((offering, index) => {
    if (!offering) return [];
    const path = `variations.offerings[${index}]`;
    const chosen = named.map((property) => readChoice(offering, property, path));
    const issues = chosen.flatMap((choice) => ('issue' in choice ? [choice.issue] : []));
    if (issues.length > 0 || named.length < count) return issues;
    const combination = JSON.stringify(chosen);
    const first = seen.get(combination);
    if (first !== undefined) return [{ code: 'combination_repeated', at: path, params: { first } }];
    seen.set(combination, index);
    return [];
  });
}

function readChoice(
  offering: Record<string, unknown>,
  property: PartialProperty,
  path: string,
): { value: string } | { issue: Issue } {
  const option = property.name ?? '';
  const key = toOfferingKey(option);
  const value = Object.hasOwn(offering, key) ? offering[key] : undefined;
  const at = `${path}.${key}`;
  if (value === undefined) {
    const sent = Object.keys(offering).find((candidate) => isOfferingKeyOf(candidate, option));
    return { issue: { code: 'option_required', at, params: { option, key, sent } } };
  }
  const values = property.values ?? [];
  if (typeof value !== 'string' || !values.includes(value)) {
    const given = JSON.stringify(value)?.slice(0, 100) ?? '';
    const known = values.filter((one) => one !== undefined);
    return { issue: { code: 'option_value_unknown', at, params: { given, option, values: known } } };
  }
  return { value };
}

/**
 * The marketplace refuses a listing with nothing to sell; an existing one is deactivated instead. A missing quantity has
 * an issue of its own.
 */
function checkOfferings(
  { offerings = [] }: PartialVariations,
  named: readonly PartialProperty[],
  listing_quantity: number | undefined,
): Issue[] {
  if (offerings.length === 0 || named.length === 0) return [];
  const isSellable = offerings.some((offering) => {
    if (!offering) return true;
    const { enabled, quantity = listing_quantity } = offering;
    return enabled !== false && quantity !== 0;
  });
  if (isSellable) return [];
  return [{ code: 'nothing_to_sell', at: 'variations.offerings', params: {} }];
}

function checkSkus({ offerings = [] }: PartialVariations): Issue[] {
  const max = MARKETPLACE_FACTS.sku_sent_chars;
  const whole = new Map<string, number>();
  const cut = new Map<string, number>();
  return offerings.flatMap((offering, index): Issue[] => {
    const sku = offering?.sku;
    if (sku === undefined || sku === '') return [];
    const at = `variations.offerings[${index}].sku`;
    const same = whole.get(sku);
    const sent = cutChars(sku, max);
    const alike = cut.get(sent);
    whole.set(sku, same ?? index);
    cut.set(sent, alike ?? index);
    if (same !== undefined) return [{ code: 'sku_repeated', at, params: { first: same } }];
    if (alike === undefined) return [];
    return [{ code: 'sku_too_alike', at, params: { first: alike, chars: max } }];
  });
}

function checkMapping(variations: PartialVariations, image_count: number): Issue[] {
  const { variation_images: photos, properties = [] } = variations;
  if (!photos) return [];
  const path = 'variations.variation_images';
  const mapping = Object.entries(photos.mapping ?? {});
  const wanted = photos.property === undefined ? undefined : toOfferingKey(photos.property);
  const property = properties.find(
    (candidate) => candidate?.name !== undefined && toOfferingKey(candidate.name) === wanted,
  );
  const issues: Issue[] = [];
  if (wanted === undefined) {
    if (mapping.length > 0)
      issues.push({ code: 'photo_option_required', at: `${path}.property`, params: {} });
  } else if (!property) {
    const options = properties.flatMap((candidate) => candidate?.name ?? []);
    issues.push({ code: 'photo_option_unknown', at: `${path}.property`, params: { options } });
  }
  for (const [value, index] of mapping) {
    const at = `${path}.mapping.${value}`;
    if (property?.values && !property.values.includes(value)) {
      const values = property.values.filter((one) => one !== undefined);
      issues.push({ code: 'photo_value_unknown', at, params: { option: property.name ?? '', values } });
    }
    if (index !== undefined && (index < 0 || index >= image_count)) {
      issues.push({ code: 'photo_index_wrong', at, params: { index, photos: image_count } });
    }
  }
  return issues;
}
