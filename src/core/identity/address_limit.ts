import ipaddr from 'ipaddr.js';
import type { AttemptKind } from '../../../schemas/issues/access.js';
import { ServiceError } from '../errors.js';
import type { WindowCountStore } from '../ports/index.js';

/** A counter by client address. */
export type AddressLimit = {
  /** Counts one more. Throws RATE_LIMIT_SECOND for an address that has reached its limit. */
  count(address: string): Promise<void>;
};

/**
 * A limit by client address: a maximum per fixed window that begins with the first request, at all instances together. An
 * IPv6 address counts as its /64, since one customer usually has a whole /64.
 */
export function createAddressLimit(
  window_counts: WindowCountStore,
  { of, ...limit }: { max: number; window_ms: number; of: AttemptKind },
): AddressLimit {
  return {
    async count(address) {
      const { retry_after_ms } = await window_counts.countInWindow(`${of} ${toNetwork(address)}`, limit);
      if (retry_after_ms === 0) return;
      throw new ServiceError(
        'RATE_LIMIT_SECOND',
        { code: 'attempts_too_many', params: { of, is_at_once: false } },
        { retry_after_seconds: retry_after_ms / 1000 },
      );
    },
  };
}

/** Runs the work unless the maximum is already running for the address. Throws RATE_LIMIT_SECOND. */
type AddressPlaces = <T>(address: string, run: () => Promise<T>) => Promise<T>;

/**
 * Limits how many run at the same time for one address (counted as in the limit above), so that one address cannot take all
 * slots.
 */
export function createAddressPlaces({ max, of }: { max: number; of: AttemptKind }): AddressPlaces {
  const running = new Map<string, number>();

  return async (address, run) => {
    const key = toNetwork(address);
    const before = running.get(key) ?? 0;
    if (before >= max) {
      throw new ServiceError('RATE_LIMIT_SECOND', {
        code: 'attempts_too_many',
        params: { of, is_at_once: true },
      });
    }
    running.set(key, before + 1);
    try {
      return await run();
    } finally {
      const left = (running.get(key) ?? 1) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    }
  };
}

function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString();
}
