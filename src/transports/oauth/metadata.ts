import type { IncomingHttpHeaders } from 'node:http';
import { FULL_SCOPE, SCOPES } from '../../core/identity/grants/tokens.js';
import { SERVICE_TITLE } from '../service.js';

export const PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** RFC 9728, about /mcp. */
export function buildResourceMetadata(resource: string, base_url: string) {
  return {
    resource,
    authorization_servers: [base_url],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: SERVICE_TITLE,
    resource_documentation: `${base_url}/docs`,
  };
}

/** RFC 8414. Public clients only, so nothing about secrets. */
export function buildServerMetadata(base_url: string) {
  return {
    issuer: base_url,
    authorization_endpoint: base_url + PATHS.authorize,
    token_endpoint: base_url + PATHS.token,
    registration_endpoint: base_url + PATHS.register,
    revocation_endpoint: base_url + PATHS.revoke,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${base_url}/docs`,
  };
}

/**
 * Paths at which clients look for the two documents. A base URL with a path has it after the well-known name,
 * as RFC 8414 and 9728 require; the plain names are for clients that look at the root.
 */
export function listWellKnown(base_url: string): { resource: string[]; server: string[] } {
  const path = new URL(base_url).pathname.replace(/\/$/, '');
  return {
    resource: [...new Set([`${path}/mcp`, '/mcp', ''])].map(
      (end) => `/.well-known/oauth-protected-resource${end}`,
    ),
    server: [...new Set([path, ''])].map((end) => `/.well-known/oauth-authorization-server${end}`),
  };
}

/** The WWW-Authenticate header of a 401 on /mcp (RFC 6750, 9728): it shows an assistant where to log in. */
export function buildChallenge(resource: string, headers: IncomingHttpHeaders): string {
  const { origin, pathname } = new URL(resource);
  const parameters = {
    resource_metadata: `${origin}/.well-known/oauth-protected-resource${pathname}`,
    scope: FULL_SCOPE,
    ...(headers.authorization === undefined ? {} : { error: 'invalid_token' }),
  };
  const text = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${text.join(', ')}`;
}
