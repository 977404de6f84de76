import { z } from 'zod/v3';
import { listingChanges } from './listing_changes.js';
import { listingRequest } from './listing_request.js';

const { shape } = listingRequest;

const copyTarget = shape.shops.element.extend({ shop_section_id: z.number().int().nullish() }).passthrough();

export const copyRequest = z.object({
  listing_pk: z.number().int().describe('From listings_list or listing_import'),
  shops: z
    .array(copyTarget)
    .describe(
      'As in listing_create; ids left out are matched by name and terms. Another currency needs price',
    ),
  changes: listingChanges.optional().describe('As in listing_update, for these shops alone'),
  state: shape.state,
  idempotency_key: shape.idempotency_key,
  confirm: shape.confirm,
  dry_run: shape.dry_run,
});
export type CopyRequest = z.output<typeof copyRequest>;
