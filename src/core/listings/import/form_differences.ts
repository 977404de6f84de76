import type { FormDifference } from '../../../../schemas/import.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { SET_BY_MARKETPLACE, toPath } from '../listing_fields.js';
import { cutChars } from '../rules/text.js';
import { toOfferingKey } from '../rules/variation_rules.js';

/** The most characters of a value in a difference, since a description may be long. */
const MOST_CHARS = 200;

/** Fields that cannot be read back from a shop, or that say where the product is sold. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'state',
  'shops',
  'digital_files',
  'idempotency_key',
  'dry_run',
  'confirm',
]);

/** Fields the marketplace sets if a listing was created without them: these do not count as different. */
const BY_MARKETPLACE: ReadonlySet<string> = new Set(SET_BY_MARKETPLACE.map(toPath));

/**
 * The fields in which two requests differ. Compares photos by their alt texts, since the same photo has two URLs.
 */
export function compareForms(ours: ListingRequest, theirs: ListingRequest): FormDifference[] {
  const mine = toFields(ours);
  const other = toFields(theirs);
  return [...new Set([...mine.keys(), ...other.keys()])]
    .filter((field) => mine.has(field) || !BY_MARKETPLACE.has(field))
    .filter((field) => toCanonicalJson(mine.get(field) ?? null) !== toCanonicalJson(other.get(field) ?? null))
    .map((field) => ({ field, ours: clip(mine.get(field)), theirs: clip(other.get(field)) }));
}

/** All SKUs of a listing, sorted. */
export function listSkus({ listing, variations }: ListingRequest): string[] {
  const offerings = variations?.offerings ?? [];
  const skus = offerings.length > 0 ? offerings.map(({ sku }) => sku) : [listing.sku];
  return [...new Set(skus.filter((sku) => sku !== undefined && sku !== ''))].map(String).toSorted();
}

function toFields(request: ListingRequest): Map<string, unknown> {
  const { images = [], videos = [], variations, listing, ...rest } = request;
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(rest))
    if (!NOT_COMPARED.has(name)) addFields(fields, name, value);
  addFields(fields, 'listing', listing);
  if (images.length > 0)
    fields.set(
      'images',
      images.map(({ alt_text = '' }) => alt_text),
    );
  if (videos.length > 0) fields.set('videos', videos.length);
  const { properties = [], offerings = [], variation_images } = variations ?? {};
  for (const { name, values } of properties) fields.set(`variations.properties[${name}]`, values.toSorted());
  const keys = properties.map(({ name }) => toOfferingKey(name));
  for (const offering of offerings) {
    const values = keys.map((key) => String(offering[key]));
    const rest = Object.entries(offering).filter(([key]) => !keys.includes(key));
    // Profiles belong to each shop.
    for (const [key, value] of rest.filter(([name]) => name !== 'processing_profile_id')) {
      fields.set(`variations.offerings[${values.join(', ')}].${key}`, value);
    }
  }
  addFields(fields, 'variations.variation_images', variation_images);
  return fields;
}

/** One path for each member; a list is one value. */
function addFields(fields: Map<string, unknown>, path: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || Array.isArray(value)) {
    fields.set(path, value);
    return;
  }
  for (const [name, member] of Object.entries(value)) addFields(fields, `${path}.${name}`, member);
}

function clip(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'string') return value;
  const short = cutChars(value, MOST_CHARS);
  return short === value ? value : `${short}…`;
}
