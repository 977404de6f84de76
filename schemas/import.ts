import type { Fact } from './issue.js';
import { z } from 'zod/v3';
import { errorCode } from './error.js';
import { listingJobResult, warning, type FactsOfPart, type Warning, type WithFacts } from './job.js';

/** A field that differs here from the shop, in the request's form. */
const formDifference = z.object({
  field: z.string(),
  ours: z.unknown(),
  theirs: z.unknown(),
});
export type FormDifference = z.input<typeof formDifference>;

/** The outcome of one listing of an import. */
const importResult = z.object({
  listing_id: z.number().int(),
  status: z.enum(['imported', 'refreshed', 'error', 'processing']),
  listing_pk: z.number().int().optional(),
  title: z.string().optional(),
  warnings: z.array(warning),
  differences: z
    .array(formDifference)
    .optional()
    .describe('refreshed: values that changed in the shop. join: values that differ between the shops'),
  error: z.string().optional(),
  details: z.object({ code: errorCode }).optional(),
});
export type ImportResult = WithFacts<z.input<typeof importResult>, FactsOfPart>;

export const importRequest = z.object({
  shop_id: z.number().int().describe('From stores_list'),
  listing_ids: z.array(z.number().int().positive()).min(1).max(100).describe('From store_listings'),
  join: z
    .number()
    .int()
    .optional()
    .describe('listing_pk of the same product in another shop; takes one listing_id'),
});

/** Answer of listing_import: a job. */
export const importJobResult = listingJobResult
  .pick({
    job_id: true,
    message: true,
    poll_url: true,
    created_at: true,
    completed_at: true,
    error_message: true,
  })
  .extend({
    status: z.enum(['processing', 'completed', 'failed']),
    results: z.array(importResult),
    warnings: z.array(warning).optional(),
  });
export type ImportJobResult = WithFacts<
  z.input<typeof importJobResult>,
  { error_message: Fact; results: ImportResult[]; warnings: Warning[] }
>;
