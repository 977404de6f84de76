import ipaddr from 'ipaddr.js';
import { ServiceError } from './errors.js';
import type { Clock } from './ports/index.js';

/** Addresses remembered at once; beyond it the oldest is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts something by the address it comes from. In memory: what listens to the network is one process. */
export type AddressLimit = {
  /** Throws RATE_LIMIT_SECOND for an address that has used its number up. */
  refuse(address: string): void;
  /** One more. */
  record(address: string): void;
};

/**
 * So many in a window that begins with the first. An IPv6 address counts as its /64, since whoever has one of them mostly
 * has them all.
 */
export function createAddressLimit(
  clock: Clock,
  { max, window_ms, what }: { max: number; window_ms: number; what: string },
): AddressLimit {
  const counted = new Map<string, { count: number; started_ms: number }>();

  const find = (key: string) => {
    const entry = counted.get(key);
    return entry && entry.started_ms + window_ms > clock.now().getTime() ? entry : undefined;
  };
  return {
    refuse(address) {
      const entry = find(toNetwork(address));
      if (!entry || entry.count < max) return;
      throw new ServiceError('RATE_LIMIT_SECOND', `Too many ${what} from this address.`, {
        retry_after_seconds: (entry.started_ms + window_ms - clock.now().getTime()) / 1000,
      });
    },
    record(address) {
      const key = toNetwork(address);
      const entry = find(key);
      if (entry) {
        entry.count += 1;
        return;
      }
      counted.delete(key);
      const [oldest] = counted.keys();
      if (counted.size >= MAX_ADDRESSES && oldest !== undefined) counted.delete(oldest);
      counted.set(key, { count: 1, started_ms: clock.now().getTime() });
    },
  };
}

/** Runs what is given unless as much is running already for the address. Throws RATE_LIMIT_SECOND. */
export type AddressPlaces = <T>(address: string, run: () => Promise<T>) => Promise<T>;

/** So many at the same time for one address, which counts as in a limit, so that it cannot take the places of all. */
export function createAddressPlaces({ max, what }: { max: number; what: string }): AddressPlaces {
  const running = new Map<string, number>();

  return async (address, run) => {
    const key = toNetwork(address);
    const before = running.get(key) ?? 0;
    if (before >= max) {
      throw new ServiceError('RATE_LIMIT_SECOND', `Too many ${what} at the same time from this address.`, {
        retry_after_seconds: 1,
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
