import type { z } from 'zod/v3';
import type { searchQuery, searchResult } from '../../schemas/search.js';
import type { Ports } from './core.js';
import type { CallOptions } from './ports/index.js';

export type Search = {
  /** The marketplace's active listings, its fields untouched. Needs no connected shop. */
  listActive(
    query: z.output<typeof searchQuery>,
    options?: CallOptions,
  ): Promise<z.output<typeof searchResult>>;
};

export function createSearch({ marketplace }: Ports): Search {
  return {
    async listActive({ keywords, limit, offset }, options) {
      const { count, results } = await marketplace.searchActiveListings({ keywords, limit, offset }, options);
      return { count, results, limit, offset };
    },
  };
}
