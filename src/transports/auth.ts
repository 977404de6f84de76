import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../core/errors.js';
import type { Caller } from '../core/operation.js';
import type { Service } from './service.js';

const MAX_FAILURES = 30;
const WINDOW_MS = 60_000;
/** Addresses remembered at once; beyond it the oldest is forgotten. */
const MAX_ADDRESSES = 10_000;

export type Credentials = { headers: IncomingHttpHeaders; address: string };

export type Authenticate = (credentials: Credentials, face: 'rest' | 'mcp') => Promise<Caller>;

/**
 * The caller behind a request: X-Service-API-Key, or a bearer token. With both, the key decides. Throws UNAUTHORIZED, or
 * RATE_LIMIT_SECOND for an address that failed 30 times within a minute. A key sent as a bearer token counts on /mcp only,
 * because some assistants can send no other header.
 */
export function createAuthenticate({ accounts, clock }: Pick<Service, 'accounts' | 'clock'>): Authenticate {
  const failures = new Map<string, { count: number; started_ms: number }>();

  return async ({ headers, address }, face) => {
    const key = headers['x-service-api-key'];
    const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (key === undefined && bearer === undefined) {
      throw new ServiceError('UNAUTHORIZED', 'The request has no credentials.');
    }
    if (typeof key === 'string') return toCaller(await accounts.authenticate(key), address);
    if (face === 'rest') {
      recordFailure(address);
      throw new ServiceError('UNAUTHORIZED', 'This address takes an API key, not a bearer token.', {
        hint: 'Send the key in the X-Service-API-Key header (listing-service keys create makes one).',
      });
    }
    return toCaller(await accounts.authenticate(bearer ?? ''), address);
  };

  function toCaller(account_id: string | undefined, address: string): Caller {
    if (account_id !== undefined) return { account_id, credential: 'key' };
    // A right key always works, whoever guesses from the same address; only more guessing is refused.
    refuseGuessing(address);
    recordFailure(address);
    throw new ServiceError('UNAUTHORIZED', 'The API key is unknown, mistyped, or revoked.');
  }

  function refuseGuessing(address: string): void {
    const entry = failures.get(address);
    if (!entry || entry.count < MAX_FAILURES) return;
    const left_ms = entry.started_ms + WINDOW_MS - clock.now().getTime();
    if (left_ms <= 0) {
      failures.delete(address);
      return;
    }
    throw new ServiceError(
      'RATE_LIMIT_SECOND',
      'Too many requests with wrong credentials from this address.',
      {
        retry_after_seconds: left_ms / 1000,
      },
    );
  }

  function recordFailure(address: string): void {
    const now_ms = clock.now().getTime();
    const entry = failures.get(address);
    if (entry && entry.started_ms + WINDOW_MS > now_ms) {
      entry.count += 1;
      return;
    }
    failures.delete(address);
    if (failures.size >= MAX_ADDRESSES) {
      const [oldest] = failures.keys();
      if (oldest !== undefined) failures.delete(oldest);
    }
    failures.set(address, { count: 1, started_ms: now_ms });
  }
}
