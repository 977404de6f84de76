import { z } from 'zod/v3';
import { idNames, jobStatus, shopResult, warning } from './job.js';
import { listingRequest, listingState } from './listing_request.js';
import { limitParameter, offsetParameter } from './page.js';

/** Where a listing of ours stands over all its shops. `draft`: nothing is on the marketplace. */
export const listingStatus = z.enum(['draft', 'processing', 'published', 'active', 'incomplete']);
export type ListingStatus = z.infer<typeof listingStatus>;

export const listingSummary = z.object({
  listing_pk: z.number().int(),
  title: z.string(),
  status: listingStatus,
  state: listingState.describe('The state last asked for'),
  shop_ids: z.array(z.string()),
  shops: z
    .array(z.object({ shop_id: z.string(), shop_name: z.string().nullable() }))
    .describe('The same with names; null when no longer connected'),
  job_id: z.string().nullable(),
  dashboard_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ListingSummary = z.infer<typeof listingSummary>;

/** What was done for a listing, and what is still to do. */
export const listingHistory = z.object({
  jobs: z
    .array(
      z.object({
        job_id: z.string(),
        state: listingState,
        status: jobStatus,
        created_at: z.string(),
        completed_at: z.string().nullable(),
        error_message: z.string().nullable(),
      }),
    )
    .describe('Oldest first'),
  shops: z.array(
    z.object({
      shop_id: z.string(),
      shop_name: z.string(),
      steps: z.array(
        z.object({
          step: z.string(),
          status: z.enum(['done', 'failed', 'open']),
          done_at: z.string().nullable(),
        }),
      ),
    }),
  ),
});
export type ListingHistory = z.infer<typeof listingHistory>;

export const listingDetail = listingSummary.extend({
  request: listingRequest.describe('The body as it was sent'),
  names: idNames,
  warnings: z.array(warning),
  job: z.object({ job_id: z.string(), status: jobStatus }).nullable(),
  results: z.array(shopResult).describe('Per shop, what is on the marketplace now as far as we know'),
  history: listingHistory.optional().describe('When asked for'),
});

export const listingQuery = z.object({
  listing_pk: z.number().int(),
  history: z.boolean().optional().describe('Also its jobs, and what was done when in each shop'),
});

export const listingsQuery = z.object({
  status: listingStatus.optional(),
  limit: limitParameter,
  offset: offsetParameter,
});

export const listingsPage = z.object({
  total: z.number().int(),
  limit: z.number().int(),
  offset: z.number().int(),
  listings: z.array(listingSummary),
});

export const listingDeletion = z.object({ listing_pk: z.number().int() });

export const listingDeleted = z.object({ listing_pk: z.number().int(), deleted: z.literal(true) });
