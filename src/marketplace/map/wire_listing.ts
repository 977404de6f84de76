import { z } from 'zod/v3';
import type { FieldName } from '../../../schemas/listing_fields.js';
import {
  count,
  flag,
  id,
  listingImage,
  money,
  optionalId,
  optionalNumber,
  optionalText,
  orEmpty,
  orNull,
  texts,
} from './wire.js';

/**
 * A field of a listing on the wire. `sent`: its name in a request; null if no request for a listing has it.
 * `answer`: the schema of its value in answers, under `answered` if the name differs there.
 */
type WireField = { sent: string | null; answered?: string; answer?: z.ZodTypeAny };

/**
 * Text or a number, as the marketplace has it; null if it is empty, and undefined if the answer does not have
 * it.
 */
const opaque = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) =>
    value === undefined ? value : value === null || value === '' ? null : String(value),
  );

/** Does not compile without a row for each field of a listing. */
export const LISTING_WIRE = {
  title: { sent: 'title', answer: z.string() },
  description: { sent: 'description', answer: z.string() },
  listing_type: {
    sent: 'type',
    answered: 'listing_type',
    answer: z.enum(['physical', 'download', 'both']),
  },
  taxonomy_id: { sent: 'taxonomy_id', answer: optionalId },
  price: { sent: 'price', answer: money },
  quantity: { sent: 'quantity', answer: count },
  sku: { sent: null },
  who_made: { sent: 'who_made', answer: optionalText },
  when_made: { sent: 'when_made', answer: optionalText },
  is_supply: { sent: 'is_supply', answer: orNull(z.boolean()) },
  tags: { sent: 'tags', answer: texts },
  materials: { sent: 'materials', answer: texts },
  styles: { sent: 'styles', answered: 'style', answer: texts },
  is_customizable: { sent: 'is_customizable', answer: flag },
  is_taxable: { sent: 'is_taxable', answer: flag },
  should_auto_renew: { sent: 'should_auto_renew', answer: flag },
  item_weight: { sent: 'item_weight', answer: optionalNumber },
  item_weight_unit: { sent: 'item_weight_unit', answer: optionalText },
  item_length: { sent: 'item_length', answer: optionalNumber },
  item_width: { sent: 'item_width', answer: optionalNumber },
  item_height: { sent: 'item_height', answer: optionalNumber },
  item_dimensions_unit: { sent: 'item_dimensions_unit', answer: optionalText },
  processing_min: { sent: 'processing_min' },
  processing_max: { sent: 'processing_max' },
  // The marketplace writes "none" as null, as 0 or as -1.
  featured_rank: {
    sent: 'featured_rank',
    answer: z
      .number()
      .int()
      .nullish()
      .transform((rank) => (rank != null && rank > 0 ? rank : null)),
  },
  shipping_profile_id: { sent: 'shipping_profile_id', answer: optionalId },
  return_policy_id: { sent: 'return_policy_id', answer: optionalId },
  // Answers about a listing have it on each of its products.
  readiness_state_id: { sent: 'readiness_state_id' },
  shop_section_id: { sent: 'shop_section_id', answer: optionalId },
  production_partner_ids: {
    sent: 'production_partner_ids',
    answered: 'production_partners',
    answer: orEmpty(z.object({ production_partner_id: id })),
  },
  gpsr_manufacturer_type: { sent: 'gpsr_manufacturer_type', answer: opaque },
  gpsr_manufacturer_id: { sent: 'gpsr_manufacturer_id', answer: opaque },
  gpsr_responsible_person_type: { sent: 'gpsr_responsible_person_type', answer: opaque },
  gpsr_responsible_person_id: { sent: 'gpsr_responsible_person_id', answer: opaque },
  gpsr_serial_number: { sent: 'gpsr_serial_number', answer: opaque },
  gpsr_safety_warnings: { sent: 'gpsr_safety_warnings', answer: opaque },
} as const satisfies Record<FieldName, WireField>;

type Wire = typeof LISTING_WIRE;
type NameIn<Row> = Row extends { answered: infer Name extends string }
  ? Name
  : Row extends { sent: infer Name extends string }
    ? Name
    : never;
type Answers = {
  [
    Field in FieldName as Wire[Field] extends { answer: z.ZodTypeAny } ? NameIn<Wire[Field]> : never
  ]: Wire[Field] extends {
    answer: infer Answer extends z.ZodTypeAny;
  }
    ? Answer
    : never;
};

/** The fields that answers have, each with its name there. */
export const ANSWERED_FIELDS = Object.entries<WireField>(LISTING_WIRE).flatMap(
  ([field, { sent, answered = sent, answer }]) => (answer && answered ? [{ field, answered, answer }] : []),
);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names and schemas of the rows
const answers = Object.fromEntries(
  ANSWERED_FIELDS.map(({ answered, answer }) => [answered, answer]),
) as Answers;

export const listing = z.object({
  listing_id: id,
  shop_id: optionalId,
  // `edit` is the old name of inactive.
  state: z.preprocess(
    (state) => (state === 'edit' ? 'inactive' : state),
    z.enum(['active', 'inactive', 'sold_out', 'draft', 'removed', 'expired']),
  ),
  url: z.string(),
  created_timestamp: z.number().nullish(),
  creation_timestamp: z.number().nullish(),
  updated_timestamp: z.number().nullish(),
  last_modified_timestamp: z.number().nullish(),
  ending_timestamp: z.number().nullish(),
  language: optionalText,
  skus: texts,
  ...answers,
});
export type WireListing = z.output<typeof listing>;

/** A listing that was requested with its images. */
export const listingWithImages = listing.extend({ images: orEmpty(listingImage) });
export type WireListingWithImages = z.output<typeof listingWithImages>;

/** An inventory that was requested with its listing. */
export const listingOfInventory = z.object({ listing });
