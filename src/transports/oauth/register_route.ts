import type { FastifyInstance } from 'fastify';
import { createAddressLimit } from '../../core/identity/address_limit.js';
import { ServiceError } from '../../core/errors.js';
import { OAuthError } from '../../core/identity/grants/oauth_error.js';
import { FULL_SCOPE } from '../../core/identity/grants/tokens.js';
import { isJsonType, readBody } from '../http/read_body.js';
import { parseJsonBytes } from '../../core/operations/json_text.js';
import type { Service } from '../service.js';
import { sendFailure } from './failure.js';
import { PATHS } from './metadata.js';
import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 64 * 1024;

/**
 * Dynamic client registration (RFC 7591), for clients without a metadata document. A client that asks to be
 * confidential is still registered as a public one, and the response says so.
 */
export function addRegisterRoute(
  server: FastifyInstance,
  { grants, window_counts, log }: Pick<Service, 'grants' | 'window_counts' | 'log'>,
): void {
  const limit = createAddressLimit(window_counts, {
    max: 30,
    window_ms: 60 * 60 * 1000,
    of: 'registrations',
  });

  server.post(PATHS.register, async (request, reply) => {
    try {
      const metadata = await readMetadata(request.raw);
      await limit.count(request.ip);
      const client = await grants.register(metadata);
      return reply.code(201).send({
        client_id: client.client_id,
        client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1000),
        client_name: client.name,
        redirect_uris: client.redirect_uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: FULL_SCOPE,
      });
    } catch (cause) {
      return sendFailure(reply, cause, log);
    }
  });
}

async function readMetadata(request: IncomingMessage): Promise<unknown> {
  if (!isJsonType(request.headers['content-type'])) {
    throw new OAuthError('invalid_client_metadata', 'The body must be application/json.');
  }
  try {
    return parseJsonBytes(await readBody(request, MAX_BYTES));
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.status === 429) throw cause;
    throw new OAuthError('invalid_client_metadata', cause.message, { cause });
  }
}
