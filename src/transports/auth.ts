import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.js';
import { ExpiredKeyError } from '../core/identity/accounts.js';
import type { Operation } from '../core/operations/operation.js';
import type { Caller } from '../core/operations/call.js';
import { toKeyRestriction } from '../core/operations/read_only.js';
import type { Guesses } from './guesses.js';
import type { Service } from './service.js';

/**
 * The credentials that a route accepts: over REST, those that the operation names; on /mcp, a key, a token,
 * or a key sent as a bearer token.
 */
type Door = Operation['auth'] | 'mcp';

export type Authenticate = (request: FastifyRequest, door: Door) => Promise<Caller>;

/**
 * Finds the caller behind a request by X-Service-API-Key or a bearer token; with both, the key decides.
 * Throws UNAUTHORIZED, or RATE_LIMIT_SECOND for an address that sent 30 wrong credentials within a minute.
 * Valid credentials always work, also from an address that failed before. A request without credentials is
 * not counted as a guess, since clients send one to learn how to log in; nor is one with an expired key. A
 * key sent as a bearer token is accepted on /mcp only, because some assistants can send no other header.
 */
export function createAuthenticate(
  { accounts, grants }: Pick<Service, 'accounts' | 'grants'>,
  guesses: Guesses,
): Authenticate {
  return async (request, door) => {
    const { authorization, 'x-service-api-key': key } = request.headers;
    const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (bearer === undefined && key === undefined) throw buildMissing();
    try {
      return typeof key === 'string' ? await byKey(key) : await byBearer(bearer ?? '', door);
    } catch (cause) {
      const isGuess =
        cause instanceof ServiceError && cause.code === 'UNAUTHORIZED' && !(cause instanceof ExpiredKeyError);
      if (isGuess) await guesses.count(request.ip);
      throw cause;
    }
  };

  async function byBearer(bearer: string, door: Door): Promise<Caller> {
    const isKey = bearer.startsWith('mls_');
    if (isKey && door === 'mcp') return byKey(bearer);
    if (isKey || door === 'key') {
      throw new ServiceError('UNAUTHORIZED', { code: 'api_key_required', params: {} });
    }
    return byToken(bearer);
  }

  async function byKey(key: string): Promise<Caller> {
    const found = await accounts.findKey(key);
    if (!found) throw new ServiceError('UNAUTHORIZED', { code: 'api_key_invalid', params: {} });
    const { account_id, key_id } = found;
    return { account_id, credential: 'key', credential_id: key_id, restriction: toKeyRestriction(found) };
  }

  async function byToken(token: string): Promise<Caller> {
    const found = await grants.authenticate(token);
    if (!found) {
      throw new ServiceError(
        'UNAUTHORIZED',
        { code: 'access_token_invalid', params: {} },
        { hint: 'Refresh it or log in again, or send an API key in the X-Service-API-Key header.' },
      );
    }
    const restriction = found.scope === 'read' ? ({ of: 'token' } as const) : undefined;
    const { account_id, grant_id } = found;
    return { account_id, credential: 'token', credential_id: grant_id, restriction };
  }
}

function buildMissing(): ServiceError {
  return new ServiceError('UNAUTHORIZED', { code: 'credentials_missing', params: {} });
}
