import { z } from 'zod/v3';
import type { Fact } from './issue.js';
import type { WarningCode } from './issues/warning_codes.js';
import { confirm } from './listing_request.js';
import { LISTING_FEE } from './marketplace_facts.js';

export const warning = z.object({
  code: z.string(),
  /** `note`: a harmless default was used, and nothing needs to be done. */
  level: z.enum(['note', 'warning']).default('warning'),
  /** Paths as in the request. */
  fields: z.array(z.string()),
  reason: z.string(),
});

/** An answer before it is written for a caller, who gets sentences in place of facts. */
export type WithFacts<Answer, Facts> = {
  [Key in keyof Answer]: Key extends keyof Facts ? Facts[Key] : Answer[Key];
};

/** A warning as it is built and stored: `level` may be left out, and the answer fills it in. */
export type Warning = WithFacts<z.input<typeof warning>, { code: WarningCode; reason: Fact }>;
export type FactsOfPart = { warnings: Warning[]; error: Fact };

/**
 * The field for warnings about unknown keys of the request. Every answer can have it in addition to its own fields, even that
 * of a search, whose results are passed on as the marketplace returned them.
 */
export const requestWarnings = z.object({
  warnings: z
    .array(warning)
    .optional()
    .describe('Present if part of the request was not understood: unknown_field, with its path'),
});

export const idNames = z.record(z.string()).describe('Names of the ids in the request, by path');

const resultImage = z.object({
  listing_image_id: z.number().int(),
  url_fullxfull: z.string(),
  rank: z.number().int(),
});

const resultVideo = z.object({ video_id: z.number().int(), video_url: z.string().nullable() });

/** A field, by its path in the request, and its values before and after, as the seller writes them. */
export const fieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/**
 * The outcome in one shop. `ok`: the listing is there as requested. `unchanged`: it already was. `error`: see `error`,
 * `marketplace_status` and `details`; `details.drift` is set if the listing was edited on Etsy.
 */
export const shopResult = z.object({
  shop_id: z.string(),
  shop_name: z.string().optional(),
  status: z.enum(['ok', 'unchanged', 'error', 'processing']),
  listing_id: z.number().int().optional(),
  listing_url: z.string().optional(),
  currency_code: z.string().optional(),
  price: z.number().optional(),
  images: z.array(resultImage).optional(),
  videos: z.array(resultVideo).optional(),
  warnings: z.array(warning).optional(),
  activated: z.boolean().optional(),
  activation_cost_usd: z.number().optional(),
  error: z.string().optional(),
  diff: z.array(fieldChange).optional().describe('Fields that an update changed'),
  pending: z.array(fieldChange).optional().describe('Kept until the listing has stock'),
  /** HTTP status of the marketplace's answer; null if there was none. */
  marketplace_status: z.number().int().nullable().optional(),
  details: z
    .object({
      step: z.string(),
      listing_id: z.number().int().optional(),
      listing_url: z.string().optional(),
    })
    .passthrough()
    .optional(),
});
export type ShopResult = WithFacts<z.input<typeof shopResult>, FactsOfPart>;

export const jobStatus = z.enum(['processing', 'completed', 'failed']);
export type JobStatus = z.infer<typeof jobStatus>;

/** A dry run's outcome in one shop: the data that would be sent, and the number of marketplace calls that it would take. */
export const plannedShop = z.object({
  shop_id: z.string(),
  shop_name: z.string(),
  currency_code: z.string(),
  price: z.number(),
  /** The listing's current state in the shop, and the fee for activating it. Left out if it is new there, and so a draft. */
  state: z.string().optional(),
  cost_usd: z.number().optional(),
  marketplace_calls: z.number().int().optional(),
  warnings: z.array(warning),
});

/** Answer of listing_create: a saved draft, a job, the findings of a dry run, or the fees to confirm. */
export const listingJobResult = z.object({
  status: z.enum([
    'draft',
    'valid',
    'confirmation_required',
    'processing',
    'completed',
    'failed',
    'unchanged',
  ]),
  job_id: z.string().optional(),
  listing_pk: z.number().int().optional(),
  message: z.string().optional(),
  dashboard_url: z.string().optional().describe('A path of this service'),
  poll_url: z.string().optional(),
  shops_count: z.number().int().optional(),
  names: idNames.optional(),
  created_at: z.string().optional(),
  completed_at: z.string().nullable().optional(),
  error_message: z.string().optional(),
  results: z.array(shopResult).optional(),
  warnings: z.array(warning).optional().describe('About the request as a whole'),
  shops: z.array(plannedShop).optional(),
  marketplace_calls: z.number().int().optional().describe('dry_run only'),
  cost_usd: z.number().optional(),
  confirm_token: z.string().optional(),
  expires_at: z.string().optional(),
});
export type ListingJobResult = WithFacts<
  z.input<typeof listingJobResult>,
  {
    error_message: Fact;
    results: ShopResult[];
    warnings: Warning[];
    shops: WithFacts<z.input<typeof plannedShop>, FactsOfPart>[];
  }
>;

/** Answer of listing_publish: a job, or the fees to confirm. */
export const publishResult = listingJobResult.omit({ names: true, marketplace_calls: true });

/** The outcome of one part of a job of any kind: of a shop, or of a listing of an import (see schemas/import.ts). */
const partResult = shopResult.extend({
  shop_id: z.string().optional(),
  status: z.enum([...shopResult.shape.status.options, 'imported', 'refreshed']),
  listing_pk: z.number().int().optional(),
  title: z.string().optional(),
  differences: z.array(z.unknown()).optional(),
  details: z.object({}).passthrough().optional(),
});

/** Answer about a job. */
export const jobResult = publishResult
  .omit({ shops: true, cost_usd: true, confirm_token: true, expires_at: true })
  .extend({ results: z.array(partResult).optional(), batch: z.object({}).passthrough().optional() });
export type JobResult = WithFacts<
  Omit<z.input<typeof jobResult>, 'results'>,
  { error_message: Fact; warnings: Warning[] }
>;

export const publishRequest = z.object({
  listing_pk: z.number().int().describe('From listing_create or listings_list'),
  state: z
    .enum(['publish', 'active', 'inactive'])
    .describe(
      `publish: draft on the marketplace, free. active: ${LISTING_FEE} per shop, free for an inactive listing that has not expired. inactive: deactivates it, free`,
    ),
  shops: z
    .array(z.number().int())
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Only these shops. Default: active publishes drafts and failed shops; an inactive, sold-out or expired listing is activated only in shops named here',
    ),
  stock: z
    .number()
    .int()
    .min(1)
    .max(999)
    .optional()
    .describe('Quantity of each variation; required to reactivate a sold-out listing'),
  dry_run: z.boolean().optional().describe('Report what would be done, per shop, and its cost'),
  idempotency_key: z.string().optional(),
  confirm,
});

export const jobQuery = z.object({ job_id: z.string().describe('From the response that started the job') });
