import type { Marketplace } from '../core/ports/marketplace.js';
import type { Call } from './call.js';
import { OPERATIONS } from './operations.js';
import * as wire from './wire.js';

/** All shops' active listings. Results stay as the marketplace writes them, entities included. */
export function createSearch(call: Call): Pick<Marketplace, 'searchActiveListings'> {
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
