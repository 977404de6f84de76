import type { Fact } from './issue.js';
import { z } from 'zod/v3';
import {
  fieldChange,
  idNames,
  jobStatus,
  shopResult,
  warning,
  type ShopResult,
  type Warning,
  type WithFacts,
} from './job.js';
import { listingRequest, listingState, type ListingRequest } from './listing_request.js';
import { limitParameter, offsetParameter } from './page.js';

/**
 * A listing's status over all its shops. `draft`: nothing is on the marketplace. `incomplete`: it is not complete in at least
 * one of its shops: something failed there, or listing_copy saved it for that shop and listing_publish has not created it
 * there yet. `given_up`: it failed, and stays that way; lists leave it out unless they are asked for it.
 */
export const listingStatus = z.enum(['draft', 'processing', 'published', 'active', 'incomplete', 'given_up']);
export type ListingStatus = z.infer<typeof listingStatus>;

/** A listing's state as the marketplace reports it. gone: it no longer has a listing with that id. */
export const seenState = z.enum(['draft', 'active', 'inactive', 'sold_out', 'expired', 'removed', 'gone']);

/** A listing in one shop, by the last sighting, which `seen_at` dates. */
const shopStanding = z.object({
  shop_id: z.string(),
  shop_name: z.string().nullable().describe('Null if no longer connected'),
  listing_id: z.number().int().nullable(),
  state: seenState.nullable().describe('As of seen_at; null: never seen there'),
  seen_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  price: z.number().nullable().describe('As last seen there; if never seen, as saved'),
  has_several_prices: z.boolean().optional().describe('Its variations differ in price, which is the lowest'),
  quantity: z.number().int().nullable(),
  currency_code: z.string().nullable(),
});
export type ShopStanding = z.infer<typeof shopStanding>;

const listingSummary = z.object({
  listing_pk: z.number().int(),
  title: z.string(),
  status: listingStatus,
  state: listingState.describe('The state last requested'),
  shop_ids: z.array(z.string()),
  shops: z.array(shopStanding).describe('The same with names, and the state when last seen there'),
  job_id: z.string().nullable(),
  dashboard_url: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type ListingSummary = z.infer<typeof listingSummary>;

/** The history of a listing: its jobs, and the progress in its shops. */
const listingHistory = z.object({
  jobs: z
    .array(
      z.object({
        job_id: z.string(),
        kind: z.enum(['publish', 'update', 'undo', 'off_sale', 'on_sale']),
        state: listingState.nullable().describe('State requested by a publish job'),
        status: jobStatus,
        created_at: z.string(),
        completed_at: z.string().nullable(),
        error_message: z.string().nullable(),
        cost_usd: z.number().nullable().describe('Fees that it paid; null while it runs'),
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
  fees: z
    .array(z.object({ shop_id: z.string(), cost_usd: z.number() }))
    .describe('Fees paid in each shop so far'),
});
type HistoryAnswer = z.infer<typeof listingHistory>;
export type ListingHistory = WithFacts<
  HistoryAnswer,
  { jobs: WithFacts<HistoryAnswer['jobs'][number], { error_message: Fact | null }>[] }
>;

/** `ours`: in the request's form. */
const difference = z.object({ field: z.string(), ours: z.unknown(), theirs: z.unknown() });

export const listingDetail = listingSummary.extend({
  shops: z.array(
    shopStanding.extend({
      differs: z
        .array(difference)
        .optional()
        .describe(
          'Fields that differ there from the saved listing: title, description, tags, prices, quantity',
        ),
      pending: z.array(fieldChange).optional().describe('Kept until the listing has stock'),
    }),
  ),
  request: listingRequest.describe('The body as it was sent'),
  names: idNames,
  warnings: z.array(warning),
  job: z.object({ job_id: z.string(), status: jobStatus }).nullable(),
  results: z.array(shopResult).describe("Per shop, the result of the listing's last job"),
  history: listingHistory.optional().describe('If requested'),
});

export type ListingDetail = WithFacts<
  z.input<typeof listingDetail>,
  { request: ListingRequest; warnings: Warning[]; results: ShopResult[]; history: ListingHistory }
>;

export const listingQuery = z.object({
  listing_pk: z.number().int(),
  history: z.boolean().optional().describe('Also its jobs, and when each step was done in each shop'),
});

export const listingsQuery = z.object({
  status: listingStatus.optional().describe('Default: all except given_up'),
  keywords: z.string().max(200).optional().describe('In title or SKU'),
  shop_id: z.number().int().optional(),
  shop_state: seenState.optional().describe('As last seen in a shop'),
  sort: z.enum(['newest', 'changed', 'title']).optional(),
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

export const listingDeleted = z.object({
  listing_pk: z.number().int(),
  deleted: z.literal(true),
  message: z.string().optional(),
});
