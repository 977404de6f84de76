import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../core/errors.js';
import type { Caller } from '../core/operation.js';
import type { Guesses } from './guesses.js';
import type { Service } from './service.js';

export type Credentials = { headers: IncomingHttpHeaders; address: string };

export type Authenticate = (credentials: Credentials, face: 'rest' | 'mcp') => Promise<Caller>;

/**
 * The caller behind a request: X-Service-API-Key, or a bearer token. With both, the key decides. Throws UNAUTHORIZED, or
 * RATE_LIMIT_SECOND for an address that failed 30 times within a minute. A key sent as a bearer token counts on /mcp only,
 * because some assistants can send no other header.
 */
export function createAuthenticate({ accounts }: Pick<Service, 'accounts'>, guesses: Guesses): Authenticate {
  return async ({ headers, address }, face) => {
    const key = headers['x-service-api-key'];
    const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (key === undefined && bearer === undefined) {
      throw new ServiceError('UNAUTHORIZED', 'The request has no credentials.');
    }
    if (typeof key === 'string') return toCaller(await accounts.authenticate(key), address);
    if (face === 'rest') {
      guesses.record(address);
      throw new ServiceError('UNAUTHORIZED', 'This address takes an API key, not a bearer token.', {
        hint: 'Send the key in the X-Service-API-Key header (listing-service keys create makes one).',
      });
    }
    return toCaller(await accounts.authenticate(bearer ?? ''), address);
  };

  function toCaller(account_id: string | undefined, address: string): Caller {
    if (account_id !== undefined) return { account_id, credential: 'key' };
    // A right key always works, whoever guesses from the same address; only more guessing is refused.
    guesses.refuse(address);
    guesses.record(address);
    throw new ServiceError('UNAUTHORIZED', 'The API key is unknown, mistyped, or revoked.');
  }
}
