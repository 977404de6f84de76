import { z } from 'zod/v3';
import { warning } from './job.js';

/** What became of one listing of an import. */
export const importResult = z.object({
  listing_id: z.number().int(),
  status: z.enum(['imported', 'refreshed', 'error', 'processing']),
  listing_pk: z.number().int().optional(),
  title: z.string().optional(),
  warnings: z.array(warning),
  error: z.string().optional(),
});
export type ImportResult = z.input<typeof importResult>;
