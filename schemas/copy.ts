import { z } from 'zod/v3';
import { listingChanges } from './listing_changes.js';
import { confirm, listingRequest, listingState } from './listing_request.js';

const { shape } = listingRequest;

export const copyTarget = shape.shops.element
  .extend({ shop_section_id: z.number().int().nullish() })
  .passthrough();

/** The shops that a listing is copied to. */
export const copyTargets = z.array(copyTarget);
export type CopyTargets = z.output<typeof copyTargets>;

export const copyRequest = z.object({
  listing_pk: z.number().int().describe('From listings_list or listing_import'),
  shops: z
    .array(copyTarget)
    .describe(
      'As in listing_create; omitted ids are matched by name and terms. A shop with another currency needs a price',
    ),
  changes: listingChanges.optional().describe('As in listing_update'),
  state: listingState.optional(),
  idempotency_key: z.string().optional(),
  confirm,
  dry_run: z.boolean().optional(),
});
export type CopyRequest = z.output<typeof copyRequest>;
