import {
  checkAuthorization,
  checkRedirectUri,
  type Authorization,
} from '../../core/identity/grants/authorization.js';
import { OAuthError } from '../../core/identity/grants/oauth_error.js';
import type { Service } from '../service.js';
import { toParameters } from './parameters.js';

/** Where an answer goes, with what the client wants to hear again. */
type Target = Pick<Authorization, 'redirect_uri' | 'state'>;

/** `return_url` tells the client; undefined while it is not sure whose address that would be. */
export type Refused = { ok: false; error: OAuthError; return_url: string | undefined };

/** The query of a request to the authorization endpoint, understood, or why not. */
export async function understand(
  query: URLSearchParams,
  { grants, base_url }: Pick<Service, 'grants' | 'base_url'>,
): Promise<{ ok: true; authorization: Authorization } | Refused> {
  let target: Target | undefined;
  try {
    const parameters = toParameters(query);
    const client_id = parameters.get('client_id');
    if (client_id === undefined) throw new OAuthError('invalid_client', 'client_id is required.');
    const client = await grants.find(client_id);
    const state = parameters.get('state');
    target = { redirect_uri: checkRedirectUri(client, parameters.get('redirect_uri')), state };
    const rest = {
      response_type: parameters.get('response_type'),
      code_challenge: parameters.get('code_challenge'),
      code_challenge_method: parameters.get('code_challenge_method'),
      state,
      scope: parameters.get('scope'),
      resource: parameters.resource,
    };
    const authorization = checkAuthorization(client, target.redirect_uri, rest, grants.resources);
    return { ok: true, authorization };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return { ok: false, error, return_url: target && buildErrorUrl(target, error, base_url) };
  }
}

/** `iss` tells the client which server answers (RFC 9207). */
export function buildReturnUrl(
  { redirect_uri, state }: Target,
  answer: Record<string, string>,
  iss: string,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss });
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${parameters}`;
}

export function buildErrorUrl(target: Target, error: OAuthError, iss: string): string {
  return buildReturnUrl(target, { error: error.code, error_description: error.message }, iss);
}
