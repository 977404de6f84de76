import { parseUrl } from '../../text/parse_url.js';
import { OAuthError } from './oauth_error.js';
import type { Client } from './client_metadata.js';
import type { GrantScope } from '../../ports/index.js';
import { isOneOf } from './redirect_uri.js';
import { chooseScope } from './tokens.js';

/** The parameters of the authorization endpoint that are used; the others are ignored, as OAuth requires. */
type AuthorizationParameters = {
  response_type?: string | undefined;
  redirect_uri?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
  state?: string | undefined;
  scope?: string | undefined;
  resource: readonly string[];
};

/** A valid request, to show to a person. */
export type Authorization = {
  client: Client;
  redirect_uri: string;
  code_challenge: string;
  state: string | undefined;
  scope: GrantScope;
};

const MAX_STATE_CHARS = 2_000;

/** Throws OAuthError invalid_redirect_uri: then the browser must not be redirected. */
export function checkRedirectUri(client: Client, redirect_uri: string | undefined): string {
  if (redirect_uri !== undefined && isOneOf(redirect_uri, client.redirect_uris)) return redirect_uri;
  throw new OAuthError(
    'invalid_redirect_uri',
    redirect_uri === undefined
      ? 'redirect_uri is required.'
      : 'redirect_uri is none of those that the client registered.',
  );
}

/** Checks the other parameters. Throws OAuthError, which is sent to the client. Every client must use PKCE with S256. */
export function checkAuthorization(
  client: Client,
  redirect_uri: string,
  parameters: AuthorizationParameters,
  resources: readonly string[],
): Authorization {
  const { response_type, code_challenge, code_challenge_method, state, scope } = parameters;
  if (response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.');
  }
  if (code_challenge === undefined || code_challenge_method !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge with code_challenge_method S256 is required.');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(code_challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 in base64url: 43 characters.');
  }
  if (state !== undefined && (state.length > MAX_STATE_CHARS || !/^[\x20-\x7e]*$/.test(state))) {
    throw new OAuthError('invalid_request', 'state must have at most 2000 printable ASCII characters.');
  }
  checkResource(parameters.resource, resources);
  return { client, redirect_uri, code_challenge, state, scope: chooseScope(scope) };
}

/**
 * Tokens are valid for one resource, so a client that names none (like those before RFC 8707) means that one, too. Throws
 * OAuthError invalid_target for another.
 */
export function checkResource(named: readonly string[], resources: readonly string[]): void {
  if (named.every((name) => resources.some((resource) => isSameUrl(name, resource)))) return;
  throw new OAuthError('invalid_target', `resource must be ${resources[0] ?? ''}.`);
}

function isSameUrl(one: string, other: string): boolean {
  return dropSlash(parseUrl(one)?.href ?? '') === dropSlash(new URL(other).href);
}

function dropSlash(url: string): string {
  return url.replace(/\/$/, '');
}
