import { createAddressLimit, type AddressLimit } from '../core/identity/address_limit.js';
import type { Clock } from '../core/ports/index.js';

/** Counts wrong credentials by address, on all ways in together: 30 a minute. */
export type Guesses = AddressLimit;

export function createGuesses({ clock }: { clock: Clock }): Guesses {
  return createAddressLimit(clock, { max: 30, window_ms: 60_000, what: 'requests with wrong credentials' });
}
