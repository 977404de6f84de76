import { z } from 'zod/v3';

export const searchQuery = z.object({
  keywords: z.string().trim().min(1).max(255).describe('All must appear in the listing'),
  limit: z.number().int().min(1).max(100).default(25),
  offset: z.number().int().min(0).max(12000).default(0),
});

/** The marketplace's own fields pass through unchanged: this service does not check the content of a result. */
export const searchResult = z
  .object({
    count: z.number().int(),
    results: z.array(z.object({}).passthrough()),
    limit: z.number().int(),
    offset: z.number().int(),
  })
  .passthrough();
