import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkResource } from '../../core/identity/grants/authorization.js';
import { OAuthError } from '../../core/identity/grants/oauth_error.js';
import type { TokenAnswer } from '../../core/identity/grants/tokens.js';
import type { Guesses } from '../guesses.js';
import type { Service } from '../service.js';
import { sendFailure } from './failure.js';
import { PATHS } from './metadata.js';
import { need, readUrlForm, toParameters, type Parameters } from './parameters.js';

/** The endpoints that clients call without a person: to get tokens and to revoke them. */
export function addTokenRoutes(
  server: FastifyInstance,
  { grants, log }: Pick<Service, 'grants' | 'log'>,
  guesses: Guesses,
): void {
  server.post(PATHS.token, (request, reply) => answer(request, reply, exchange));
  server.post(PATHS.revoke, (request, reply) => answer(request, reply, revoke));

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (parameters: Parameters) => Promise<TokenAnswer | undefined>,
  ): Promise<FastifyReply> {
    try {
      const result = await work(toParameters(await readUrlForm(request.raw)));
      return reply.header('pragma', 'no-cache').send(result);
    } catch (cause) {
      return sendFailure(reply, await countGuess(cause, request.ip), log);
    }
  }

  /**
   * Wrong secrets count by address like any other credential; a right one always works, also from an address
   * that failed before.
   */
  async function countGuess(cause: unknown, address: string): Promise<unknown> {
    if (!(cause instanceof OAuthError) || !['invalid_grant', 'invalid_client'].includes(cause.code)) {
      return cause;
    }
    try {
      await guesses.count(address);
      return cause;
    } catch (refusal) {
      return refusal;
    }
  }

  async function exchange(parameters: Parameters): Promise<TokenAnswer> {
    const grant_type = need(parameters, 'grant_type');
    const client_id = parameters.get('client_id');
    if (client_id === undefined) throw new OAuthError('invalid_client', 'client_id is required.');
    checkResource(parameters.resource, grants.resources);
    switch (grant_type) {
      case 'authorization_code':
        return grants.exchangeCode({
          client_id,
          code: need(parameters, 'code'),
          code_verifier: need(parameters, 'code_verifier'),
          redirect_uri: parameters.get('redirect_uri'),
        });
      case 'refresh_token':
        return grants.refresh({ client_id, refresh_token: need(parameters, 'refresh_token') });
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          'grant_type must be authorization_code or refresh_token.',
        );
    }
  }

  async function revoke(parameters: Parameters): Promise<undefined> {
    await grants.revoke({ client_id: parameters.get('client_id'), token: need(parameters, 'token') });
  }
}
