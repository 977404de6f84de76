import { createAddressLimit, type AddressLimit } from '../core/identity/address_limit.js';
import type { WindowCountStore } from '../core/ports/index.js';

/** Counts wrong credentials by address, across all ways to log in: 30 a minute. */
export type Guesses = AddressLimit;

export function createGuesses({ window_counts }: { window_counts: WindowCountStore }): Guesses {
  return createAddressLimit(window_counts, {
    max: 30,
    window_ms: 60_000,
    of: 'wrong_credentials',
  });
}
