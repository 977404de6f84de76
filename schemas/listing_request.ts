import { z } from 'zod/v3';
import { LISTING_FEE, MARKETPLACE_FACTS } from './marketplace_facts.js';

/** Makes each field optional, and lets null remove it. */
export function toPatch<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape, 'passthrough'>) {
  const fields = Object.entries(schema.shape).map(([key, field]) => [
    key,
    toValue(field).nullable().optional(),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys, each with the type that its field becomes
  const patch = Object.fromEntries(fields) as {
    [Key in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Key]>>;
  };
  return z.object(patch).passthrough();
}

/** A field that already may be left out or null is not wrapped again, since its JSON Schema would say it twice. */
function toValue(field: z.ZodTypeAny): z.ZodTypeAny {
  return field instanceof z.ZodOptional || field instanceof z.ZodNullable
    ? toValue(field.unwrap() as z.ZodTypeAny)
    : field;
}

/*
 * The body of listing_create: types only. Lengths, counts, bounds and characters are in the rules table
 * (core/listings/rules), because the zod v3 API counts UTF-16 units and stops early; the advertised JSON Schema also takes
 * its bounds from that table.
 */

const id = z.number().int();

export const listingState = z.enum(['draft', 'publish', 'active']);
export type ListingState = z.infer<typeof listingState>;

/** Only read if fees are confirmed. Other callers are not asked for it, so its content is no reason to refuse their calls. */
export const confirm = z
  .string()
  .optional()
  .catch(undefined)
  .describe('The confirm_token, after the seller agrees');

const gpsrValue = z.union([z.string(), z.number().int()]).nullish();

/** Passed on unchecked: only the marketplace knows what it accepts. */
const gpsr = z
  .object({
    manufacturer_type: gpsrValue,
    manufacturer_id: gpsrValue,
    responsible_person_type: gpsrValue,
    responsible_person_id: gpsrValue,
    serial_number: gpsrValue,
    safety_warnings: gpsrValue,
  })
  .passthrough();

const listing = z
  .object({
    title: z
      .string()
      .describe('Letters, digits, spaces, punctuation, math symbols, ™ © ®; % : & + at most once each'),
    description: z.string().describe('Newlines are kept, HTML tags are stripped'),
    listing_type: z.enum(['physical', 'digital']),
    taxonomy_id: id.describe('Category id from categories_search; listing_schema lists what it needs'),
    price: z.number().optional().describe('Required unless every offering has a price'),
    quantity: z.number().int().optional().describe('Required unless every offering has a quantity'),
    who_made: z
      .enum(['i_did', 'someone_else', 'collective'])
      .optional()
      .describe('Send who_made, when_made and is_supply together, or none of them'),
    when_made: z
      .string()
      .optional()
      .describe(
        `made_to_order, an open period such as ${MARKETPLACE_FACTS.open_when_made}, a decade such as 1990s`,
      ),
    is_supply: z.boolean().optional(),
    tags: z.array(z.string()).nullish().describe("Letters, digits, spaces, - ' ™ © ®"),
    materials: z.array(z.string()).nullish().describe('Letters, digits, spaces'),
    styles: z.array(z.string()).nullish().describe('Letters, digits, spaces'),
    sku: z.string().optional().describe('The marketplace receives the first 32 characters'),
    is_customizable: z.boolean().optional(),
    is_taxable: z.boolean().optional(),
    should_auto_renew: z.boolean().optional().describe(`Renewing costs ${LISTING_FEE} every four months`),
    item_weight: z.number().nullish(),
    item_weight_unit: z.string().nullish(),
    item_length: z.number().nullish(),
    item_width: z.number().nullish(),
    item_height: z.number().nullish(),
    item_dimensions_unit: z.string().nullish(),
    processing_min: z
      .number()
      .int()
      .nullish()
      .describe('Days; selects the processing profile if none is given'),
    processing_max: z.number().int().nullish().describe('Days'),
    gpsr: gpsr
      .nullish()
      .describe(
        'GPSR: manufacturer_type, manufacturer_id, responsible_person_type, responsible_person_id, serial_number, safety_warnings',
      ),
  })
  .passthrough();

/** How a change of single offerings names one, and the values to set. */
export const offeringPatch = z
  .object({
    sku: z.string().optional().describe('Which offering, unless its option values are given'),
    price: z.number().optional(),
    quantity: z.number().int().optional(),
    enabled: z.boolean().optional(),
    sku_new: z.string().optional().describe('Replaces its SKU'),
  })
  .passthrough()
  .describe(
    'Which offering: sku, or a key per property (its lowercased name) with its value. A listing without variations needs neither',
  );
export type OfferingPatch = z.infer<typeof offeringPatch>;

/** Values of one shop, which replace those that the shops share. A field with null is the same as in the other shops. */
const overrides = z
  .object({
    listing: toPatch(listing).nullish(),
    offerings: z
      .array(offeringPatch)
      .nullish()
      .describe('Only these combinations; all others stay unchanged'),
  })
  .passthrough();
export type Overrides = z.infer<typeof overrides>;

const shopTarget = z
  .object({
    shop_id: id.describe('A connected shop, from stores_list'),
    price: z.number().optional().describe("Replaces listing.price in this shop, in the shop's currency"),
    shipping_profile_id: id.optional().describe('Required for physical; from store_sync'),
    return_policy_id: id.optional().describe('Required for physical; from store_sync'),
    processing_profile_id: id
      .optional()
      .describe('Processing time; from store_sync. Default: the best match'),
    shop_section_id: id.optional().describe('From store_sync'),
    production_partner_ids: z.array(id).optional().describe('From store_sync'),
    gpsr: gpsr.nullish(),
    overrides: overrides
      .nullish()
      .describe(
        'Values for this shop only: {listing: {fields}, offerings: [as in changes of listing_update]}',
      ),
  })
  .passthrough();

const image = z
  .object({
    url: z
      .string()
      .describe(
        'Public http(s) URL, or the service-upload:// URL of file_upload. JPG, PNG or GIF; WebP, AVIF and HEIC become JPEG',
      ),
    rank: z.number().int().optional().describe('1 is the main photo. Give every image a rank or none'),
    alt_text: z.string().optional().describe('Describes the photo for people who cannot see it'),
  })
  .passthrough();

const digitalFile = z
  .object({
    url: z.string(),
    name: z.string().optional().describe('Shown to buyers: letters, digits, . - _'),
  })
  .passthrough();

const video = z
  .object({ url: z.string().describe('MP4 or MOV, 3 to 15 seconds, without sound') })
  .passthrough();

const personalization = z
  .object({
    enabled: z.boolean().optional(),
    is_required: z.boolean().optional(),
    instructions: z.string().optional().describe('At most 120 characters on the marketplace'),
    max_chars: z.number().int().optional().describe("Maximum length of the buyer's text; default 256"),
  })
  .passthrough();

const categoryAttribute = z
  .object({
    value_ids: z.array(id).optional().describe('From possible_values of listing_schema'),
    values: z.array(z.string()).optional().describe('The readable value of each value id'),
    scale_id: id.optional(),
  })
  .passthrough();

const variationProperty = z
  .object({
    property_id: id.describe(
      'From variation_properties of listing_schema; you choose the names of 513 and 514',
    ),
    name: z.string().describe('Its lowercased form is the key in every offering'),
    scale_id: id.optional(),
    values: z.array(z.string()).describe('No parentheses'),
  })
  .passthrough();

const offering = z
  .object({
    price: z.number().optional(),
    quantity: z.number().int().optional(),
    sku: z.string().optional(),
    enabled: z.boolean().optional().describe('false: created but hidden from buyers'),
    processing_profile_id: id.optional(),
  })
  .passthrough()
  .describe('One combination: a key per property (its lowercased name) with one of its values');

const variations = z
  .object({
    properties: z.array(variationProperty).optional(),
    offerings: z
      .array(offering)
      .optional()
      .describe('Missing combinations are created hidden; if omitted, every combination is offered'),
    variation_images: z
      .object({
        property: z.string().optional().describe('Name of the one property whose values have photos'),
        mapping: z.record(z.number().int()).optional().describe('Value name to 0-based index in images[]'),
      })
      .passthrough()
      .optional(),
  })
  .passthrough();

export const listingRequest = z
  .object({
    state: listingState
      .optional()
      .describe(
        `draft (default): saved here only. publish: draft on the marketplace. active: live, ${LISTING_FEE} per shop`,
      ),
    shops: z.array(shopTarget),
    listing,
    images: z.array(image).optional().describe('Required for active'),
    digital_files: z.array(digitalFile).optional().describe('Required for digital'),
    videos: z.array(video).optional(),
    personalization: personalization.optional(),
    category_attributes: z.record(categoryAttribute).optional().describe('Keys are property ids'),
    variations: variations.optional(),
    idempotency_key: z.string().optional().describe('Same key and body: the same job'),
    confirm,
    dry_run: z.boolean().optional().describe('Check everything, write nothing, report the cost'),
  })
  .passthrough();

export type ListingRequest = z.infer<typeof listingRequest>;
export type ShopTarget = z.infer<typeof shopTarget>;
export type Offering = z.infer<typeof offering>;
export type VariationProperty = z.infer<typeof variationProperty>;
export type Variations = z.infer<typeof variations>;
