import type { Fact } from './issue.js';
import { z } from 'zod/v3';
import {
  fieldChange,
  listingJobResult,
  plannedShop,
  type FactsOfPart,
  type ShopResult,
  type Warning,
  type WithFacts,
} from './job.js';
import { listingRequest, offeringPatch } from './listing_request.js';
import { toPatch } from './listing_request.js';

/*
 * The body of listing_update: a JSON Merge Patch (RFC 7396) over listing_create's. Each field may be left out, and null
 * removes it; lists are replaced as a whole, so their entries are those of listing_create.
 */

const id = z.number().int();

const { shape } = listingRequest;

const listing = toPatch(shape.listing);

/** By shop_id: the other shops stay unchanged. */
const shop = toPatch(shape.shops.element)
  .extend({ shop_id: id.describe('One of the shops that have this listing') })
  .passthrough();

const attribute = toPatch(shape.category_attributes.unwrap().valueSchema);

const variationImages = toPatch(shape.variations.unwrap().shape.variation_images.unwrap())
  .extend({ mapping: z.record(z.number().int().nullable()).nullable().optional() })
  .passthrough();

const variations = toPatch(shape.variations.unwrap())
  .extend({ variation_images: variationImages.nullable().optional() })
  .passthrough();

export const listingChanges = z
  .object({
    listing: listing.nullable().optional(),
    images: shape.images.unwrap().nullable().optional(),
    videos: shape.videos.unwrap().nullable().optional(),
    digital_files: shape.digital_files.unwrap().nullable().optional(),
    variations: variations.nullable().optional(),
    category_attributes: z.record(attribute.nullable()).nullable().optional(),
    personalization: toPatch(shape.personalization.unwrap()).nullable().optional(),
    shops: z.array(shop).nullable().optional(),
    offerings: z
      .array(offeringPatch)
      .optional()
      .describe('Only these combinations; all others stay unchanged'),
  })
  .passthrough();
export type ListingChanges = z.infer<typeof listingChanges>;

export const updateRequest = z.object({
  listing_pk: z.number().int().describe('From listings_list or listing_create'),
  changes: listingChanges.describe(
    'Fields of listing_create: omitted fields stay unchanged, null removes, lists are replaced whole. offerings: [{sku or option values, price, quantity, enabled, sku_new}] changes single variations',
  ),
  shops: z.array(id).optional().describe('Shop ids; default: all shops of the listing'),
  dry_run: z.boolean().optional().describe('Write nothing, report what would change'),
  on_drift: z
    .enum(['refuse', 'overwrite'])
    .optional()
    .describe(
      'For a field that was edited on the marketplace since it was last written or imported; refuse (default) skips that shop, unless a dry run of this call has just shown the edit',
    ),
  idempotency_key: shape.idempotency_key,
});
export type UpdateRequest = z.infer<typeof updateRequest>;

/** The body of listing_undo. */
export const undoRequest = z.object({
  listing_pk: z.number().int().describe('From listings_list or listing_create'),
  job_id: z.string().optional().describe('Which update; default: the last one that changed something'),
  shops: z.array(id).optional().describe('Shop ids; default: all of that update'),
  dry_run: z.boolean().optional().describe('Write nothing, report what would change'),
  on_drift: z
    .enum(['refuse', 'skip', 'overwrite'])
    .optional()
    .describe('For fields edited since; skip undoes the rest'),
  idempotency_key: shape.idempotency_key,
});
export type UndoRequest = z.infer<typeof undoRequest>;

/** A dry run's outcome in one shop: the changes, or `error` and `details` as in a job's results. */
const plannedChange = plannedShop.omit({ price: true }).extend({
  status: z.enum(['ok', 'unchanged', 'error']),
  listing_id: id.optional(),
  diff: z.array(
    fieldChange.extend({
      manual_edit: z
        .literal(true)
        .optional()
        .describe('Edited on the marketplace since it was last written or imported here'),
    }),
  ),
  pending: z.array(fieldChange).optional(),
  error: z.string().optional(),
  marketplace_status: z.number().int().nullable().optional(),
  details: z.object({}).passthrough().optional(),
});
export type PlannedChange = WithFacts<z.input<typeof plannedChange>, FactsOfPart>;

/** Answer of listing_update: a job, the findings of a dry run, or the draft. */
export const updateResult = listingJobResult
  .omit({ confirm_token: true, expires_at: true })
  .extend({ shops: z.array(plannedChange).optional() });
export type UpdateResult = WithFacts<
  z.input<typeof updateResult>,
  { error_message: Fact; results: ShopResult[]; warnings: Warning[]; shops: PlannedChange[] }
>;
