import { quoteName } from '../../errors.js';
import { formatValues } from '../../text/choices.js';
import type { Issue } from '../../errors.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { PartialRequest } from './partial.js';
import { foldCase } from '../../text/fold_case.js';
import { cutChars, toComparable } from './text.js';

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

/** The key under which offerings give a property's value: the interface's "lowercased property name". */
export function toOfferingKey(name: string): string {
  return name.trim().toLowerCase();
}

/** Whether a key of an offering is that of a property, written in another way: `strasse` for Straße. */
export function isOfferingKeyOf(key: string, name: string): boolean {
  return foldCase(key.trim()) === foldCase(name.trim());
}

/** Whether it says something else of an offering than the value of a property. */
export function isOfferingKey(key: string): boolean {
  return OFFERING_KEYS.has(key);
}

/** Properties, offerings and photo mapping, held against each other. */
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
    const path = `variations.properties[${index}]`;
    const issues: Issue[] = [];
    const key = keys[index];
    if (key && OFFERING_KEYS.has(key)) {
      issues.push({
        path: `${path}.name`,
        message: `cannot be ${quoteName(key)}, which offerings use for something else`,
      });
    }
    if (key && keys.indexOf(key) < index)
      issues.push({ path: `${path}.name`, message: 'is the name of the other property too' });
    if (ids[index] !== undefined && ids.indexOf(ids[index]) < index) {
      issues.push({ path: `${path}.property_id`, message: 'is the id of the other property too' });
    }
    const values = (property?.values ?? []).map((value) => value && toComparable(value));
    values.forEach((value, at) => {
      const first = values.indexOf(value);
      if (value !== undefined && first < at) {
        issues.push({ path: `${path}.values[${at}]`, message: `is the same as values[${first}]` });
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
    return [{ path: 'variations.properties', message: 'is missing, but there are offerings' }];
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
    if (first !== undefined) return [{ path, message: `is the same combination as offerings[${first}]` }];
    seen.set(combination, index);
    return [];
  });
}

function readChoice(
  offering: Record<string, unknown>,
  property: PartialProperty,
  path: string,
): { value: string } | { issue: Issue } {
  const key = toOfferingKey(property.name ?? '');
  const value = Object.hasOwn(offering, key) ? offering[key] : undefined;
  const at = `${path}.${key}`;
  if (value === undefined) {
    const sent = Object.keys(offering).find((candidate) => isOfferingKeyOf(candidate, property.name ?? ''));
    const message = `is required: one of the values of property ${quoteName(property.name ?? '')}`;
    const hint = sent === undefined ? '' : `; the key ${quoteName(sent)} has to be written ${quoteName(key)}`;
    return { issue: { path: at, message: `${message}${hint}` } };
  }
  const values = property.values ?? [];
  if (typeof value !== 'string' || !values.includes(value)) {
    const shown = formatValues(values);
    const fix = shown
      ? `must be one of ${shown}`
      : `property ${quoteName(property.name ?? '')} has no values yet`;
    return { issue: { path: at, message: `is ${JSON.stringify(value)?.slice(0, 100)}; ${fix}` } };
  }
  return { value };
}

/** The marketplace takes no such listing; one that is there goes off sale instead. */
export const NOTHING_TO_SELL = 'has nothing to sell; at least one must be enabled with a quantity above 0';

function checkOfferings(
  { offerings = [] }: PartialVariations,
  named: readonly PartialProperty[],
  listing_quantity: number | undefined,
): Issue[] {
  if (offerings.length === 0 || named.length === 0) return [];
  const isSellable = offerings.some(
    (offering) => offering && offering.enabled !== false && (offering.quantity ?? listing_quantity ?? 0) > 0,
  );
  if (isSellable || offerings.some((offering) => offering === undefined)) return [];
  return [
    {
      path: 'variations.offerings',
      message: NOTHING_TO_SELL,
    },
  ];
}

function checkSkus({ offerings = [] }: PartialVariations): Issue[] {
  const max = MARKETPLACE_FACTS.sku_sent_chars;
  const whole = new Map<string, number>();
  const cut = new Map<string, number>();
  return offerings.flatMap((offering, index) => {
    const sku = offering?.sku;
    if (sku === undefined || sku === '') return [];
    const path = `variations.offerings[${index}].sku`;
    const same = whole.get(sku);
    const sent = cutChars(sku, max);
    const alike = cut.get(sent);
    whole.set(sku, same ?? index);
    cut.set(sent, alike ?? index);
    if (same !== undefined)
      return [{ path, message: `is also the SKU of offerings[${same}]; each needs its own` }];
    if (alike !== undefined) {
      return [
        {
          path,
          message: `has the same first ${max} characters as that of offerings[${alike}]; the marketplace gets no more`,
        },
      ];
    }
    return [];
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
    if (mapping.length > 0) issues.push({ path: `${path}.property`, message: 'is required with a mapping' });
  } else if (!property) {
    const names = formatValues(properties.map((candidate) => candidate?.name));
    issues.push({
      path: `${path}.property`,
      message: `is none of the variation properties (${names ?? 'there are none'})`,
    });
  }
  const shown = formatValues(property?.values ?? []);
  for (const [value, index] of mapping) {
    if (property?.values && !property.values.includes(value)) {
      issues.push({
        path: `${path}.mapping.${value}`,
        message: `is no value of property ${quoteName(property.name ?? '')}; ${shown ? `use ${shown}` : 'it has none yet'}`,
      });
    }
    if (index !== undefined && (index < 0 || index >= image_count)) {
      const range =
        image_count === 0 ? 'there are no images' : `images[] has indexes 0 to ${image_count - 1}`;
      issues.push({ path: `${path}.mapping.${value}`, message: `is ${index}; ${range}` });
    }
  }
  return issues;
}
