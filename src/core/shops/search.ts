import type { z } from 'zod/v3';
import type { searchQuery, searchResult } from '../../../schemas/search.js';
import type { Ports } from '../ports/index.js';
import type { CallOptions } from '../ports/index.js';

export type Search = {
  /** The marketplace's active listings, with its fields unchanged. Needs no connected shop. */
  listActive(
    account_id: string,
    query: z.output<typeof searchQuery>,
    options?: CallOptions,
  ): Promise<z.output<typeof searchResult>>;
};

export function createSearch({ marketplace }: Ports): Search {
  return {
    async listActive(account_id, { keywords, limit, offset }, options) {
      const page = { keywords, limit, offset };
      const { count, results } = await marketplace.searchActiveListings(account_id, page, options);
      return { count, results, limit, offset };
    },
  };
}
