import { z } from 'zod/v3';

/* Schemas of the marketplace's answers, with only the fields that this client needs: others may appear,
   disappear and change. A field is required only if an answer is useless without it; the rest may be missing
   or null. */

/** An answer without a field that we need. The message names the field, and never quotes values. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

export function parseWire<Output>(schema: z.ZodType<Output, z.ZodTypeDef, unknown>, body: unknown): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new UnreadableError(`an answer without a usable ${path === '' ? 'body' : path}`);
}

export const id = z.number().int().nonnegative().safe();
export const count = z.number().int().nonnegative();
export const optionalId = orNull(id);
export const optionalCount = orNull(count);
export const optionalText = orNull(z.string());
/** Text that is only displayed: missing text becomes empty. */
export const words = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const countOrZero = count.nullish().transform((value) => value ?? 0);
export const optionalNumber = orNull(z.number());
export const texts = orEmpty(z.string());
const ids = orEmpty(id);
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** Missing becomes null. */
export function orNull<T extends z.ZodTypeAny>(schema: T) {
  return schema.nullable().default(null);
}

/** Missing and null become an empty list. */
export function orEmpty<T extends z.ZodTypeAny>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

/** Every list comes in this envelope. `count` is the total of all pages. */
export function listOf<T extends z.ZodTypeAny>(item: T) {
  return z.object({ count: count.nullish(), results: z.array(item) });
}

/** A list whose items are parsed one by one. */
export const anyList = listOf(z.unknown());

export const money = z.object({
  amount: z.number().int().safe(),
  divisor: z.number().int().positive(),
  currency_code: z.string(),
});
export type WireMoney = z.output<typeof money>;

const YEAR_S = 365 * 24 * 60 * 60;

export const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  // Seconds; an hour if the value is not usable. Without the tokens the shop is lost; without this number,
  // only the time of the next refresh is a guess.
  expires_in: z.number().positive().max(YEAR_S).catch(3_600),
});

/** A user who only buys has no shop. */
export const self = z.object({ user_id: id, shop_id: optionalId });

export const listingImage = z
  .object({
    listing_image_id: id,
    url_fullxfull: words,
    rank: count,
    created_timestamp: z.number().nullish(),
    creation_tsz: z.number().nullish(),
    full_width: optionalCount,
    full_height: optionalCount,
    alt_text: words,
  })
  .transform(({ created_timestamp, creation_tsz, full_width, full_height, ...same }) => ({
    ...same,
    created_at_epoch_s: created_timestamp ?? creation_tsz ?? 0,
    width: full_width,
    height: full_height,
  }));
export const listingVideo = z.object({ video_id: id, video_url: optionalText });
const question = z.object({
  question_id: optionalId,
  question_type: z.string(),
  question_text: z.string(),
  instructions: optionalText,
  required: flag,
  max_allowed_characters: optionalCount,
  max_allowed_files: optionalCount,
  options: orEmpty(z.object({ option_id: optionalId, label: z.string() })),
  add_on_price: orNull(money),
});
export type WireQuestion = z.output<typeof question>;

const translation = z.object({ title: optionalText, description: optionalText, tags: texts });
/** By language; null if there is none. */
const translations = z
  .record(orNull(translation))
  .nullish()
  .transform((value) => value ?? {});
export type WireTranslations = z.output<typeof translations>;

/** The associations of a listing that was requested with all of them. */
export const listingAssociations = z.object({
  images: z.array(listingImage),
  videos: orEmpty(listingVideo),
  translations,
  personalization: orNull(z.object({ personalization_questions: orEmpty(question) })),
});
export type WireListingAssociations = z.output<typeof listingAssociations>;
export const variationImage = z.object({
  property_id: id,
  value_id: id,
  value: optionalText,
  image_id: id,
});
export type WireVariationImage = z.output<typeof variationImage>;
export const listingFile = z.object({
  listing_file_id: id,
  filename: z.string(),
  rank: count,
  size_bytes: countOrZero,
});

export const propertyValue = z.object({
  property_id: id,
  property_name: optionalText,
  scale_id: optionalId,
  value_ids: ids,
  values: texts,
});

export type WirePropertyValue = z.output<typeof propertyValue>;

export const inventory = z.object({
  products: z.array(
    z.object({
      sku: optionalText,
      is_deleted: flag,
      property_values: z.array(propertyValue),
      offerings: z.array(
        z.object({
          price: money,
          quantity: count,
          is_enabled: z.boolean(),
          is_deleted: flag,
          readiness_state_id: optionalId,
        }),
      ),
    }),
  ),
  price_on_property: ids,
  quantity_on_property: ids,
  sku_on_property: ids,
  readiness_state_on_property: ids,
});
export type WireInventory = z.output<typeof inventory>;
/** One of several listings requested with their inventories. */
export const inventoryOfListing = z.object({ listing_id: id, inventory: orNull(inventory) });

export const shop = z.object({
  shop_id: id,
  user_id: id,
  shop_name: z.string(),
  currency_code: z.string(),
  shipping_from_country_iso: optionalText,
  listing_active_count: countOrZero,
  review_average: optionalNumber,
  review_count: optionalCount,
  is_vacation: flag,
  url: z.string(),
});

export const shippingProfile = z.object({
  shipping_profile_id: id,
  title: optionalText,
  origin_country_iso: optionalText,
  is_deleted: flag,
  min_processing_days: optionalCount,
  max_processing_days: optionalCount,
  shipping_profile_destinations: orEmpty(
    z.object({ destination_country_iso: optionalText, primary_cost: orNull(money) }),
  ),
});
export type WireShippingProfile = z.output<typeof shippingProfile>;

export const shopSection = z.object({
  shop_section_id: id,
  title: z.string(),
  rank: countOrZero,
  active_listing_count: countOrZero,
});
export const returnPolicy = z.object({
  return_policy_id: id,
  accepts_returns: z.boolean(),
  accepts_exchanges: z.boolean(),
  return_deadline: optionalCount,
});
export const processingProfile = z.object({
  readiness_state_id: id,
  readiness_state: z.string(),
  min_processing_days: count,
  max_processing_days: count,
  processing_days_display_label: words,
});
export const productionPartner = z.object({
  production_partner_id: id,
  partner_name: z.string(),
  location: words,
});

const possibleValue = z.object({ value_id: optionalId, name: z.string(), scale_id: optionalId });
const scale = z.object({ scale_id: id, display_name: z.string(), description: words });
export const taxonomyProperty = z.object({
  property_id: id,
  name: z.string(),
  display_name: z.string(),
  scales: orEmpty(scale),
  is_required: flag,
  supports_attributes: flag,
  supports_variations: flag,
  is_multivalued: flag,
  max_values_allowed: optionalCount,
  possible_values: orEmpty(possibleValue),
});
export type WireTaxonomyProperty = z.output<typeof taxonomyProperty>;

/** `children` is walked in code, since the marketplace decides its depth. */
export const taxonomyNode = z.object({
  id,
  name: z.string(),
  children: orEmpty(z.unknown()),
});

/** A search's results stay unchanged. */
export const searchAnswer = z.object({ count, results: z.array(z.record(z.unknown())) });
