import { z } from 'zod/v3';
import { cleanForeign } from '../../text/foreign.js';
import { OAuthError } from './oauth_error.js';
import { describeReceiver, isAcceptableRedirectUri, REDIRECT_URI_RULE } from './redirect_uri.js';
import { normalize } from '../../text/normalize.js';

const MAX_REDIRECT_URIS = 20;
const MAX_NAME_CHARS = 60;

/** A program that asks for a grant, with the fields that matter here: every client is public, so it has no secret. */
export type Client = {
  client_id: string;
  /** The name that the client gave itself: foreign text, cleaned and shortened. */
  name: string;
  redirect_uris: readonly string[];
};

const clientMetadata = z.object({
  client_id: z.unknown(),
  client_secret: z.unknown(),
  client_name: z.string().optional().catch(undefined),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

type ClientMetadata = z.output<typeof clientMetadata>;

/** Checks the metadata that a client sends (RFC 7591). Throws OAuthError invalid_client_metadata or invalid_redirect_uri. */
export function parseClientMetadata(value: unknown): ClientMetadata {
  const parsed = clientMetadata.safeParse(value);
  if (!parsed.success) {
    const [field = 'it'] = parsed.error.issues[0]?.path ?? [];
    throw new OAuthError('invalid_client_metadata', `The client metadata is not valid: ${String(field)}.`);
  }
  const { redirect_uris, grant_types, response_types } = parsed.data;
  if (!redirect_uris.every(isAcceptableRedirectUri)) {
    throw new OAuthError('invalid_redirect_uri', `Each of redirect_uris must be ${REDIRECT_URI_RULE}.`);
  }
  if (grant_types && !grant_types.includes('authorization_code')) {
    throw new OAuthError('invalid_client_metadata', 'grant_types must name authorization_code.');
  }
  if (response_types && !response_types.includes('code')) {
    throw new OAuthError('invalid_client_metadata', 'response_types must name code.');
  }
  return parsed.data;
}

export function toClientName({ client_name, redirect_uris }: ClientMetadata): string {
  const name = cleanForeign(normalize(client_name ?? '').replace(/\s+/g, ' '), MAX_NAME_CHARS);
  return name || describeReceiver(redirect_uris[0] ?? '').name;
}
