import type { CallOptions } from '../../core/ports/marketplace_call.js';
import type { Call } from '../http/call.js';
import { OPERATIONS } from './operations.js';
import * as wire from '../map/wire.js';

/** All shops' active listings. Results stay as the marketplace writes them, including entities. */
export type SearchCalls = {
  searchActiveListings(
    query: { keywords: string; limit: number; offset: number },
    options?: CallOptions,
  ): Promise<{ count: number; results: Record<string, unknown>[] }>;
};

export function createSearch(call: Call): SearchCalls {
  return {
    searchActiveListings: (query, options) =>
      call(
        OPERATIONS.findAllListingsActive,
        { query },
        (body) => wire.parseWire(wire.searchAnswer, body),
        options,
      ),
  };
}
