import { MarketplaceError, type Clock, type ShopTokens } from '../core/ports/index.js';
import { encodeForm, toSearchParams, type FormFields } from './encode.js';
import { parseRefusal } from './failures.js';
import { HttpFailure, type Http } from './http.js';

const TOKEN_PATH = '/v3/public/oauth/token';
const DEADLINE_MS = 20_000;

/** What listing, syncing and order events need, and no more. */
export const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'] as const;

export type OAuthOptions = { http: Http; getApiUrl: () => Promise<string>; keystring: string; clock: Clock };

/** @param auth_url origin of the consent page, such as https://www.etsy.com */
export function buildConsentUrl(
  auth_url: string,
  consent: { keystring: string; redirect_uri: string; state: string; code_challenge: string },
): string {
  const url = new URL('/oauth/connect', auth_url);
  const { keystring: client_id, redirect_uri, state, code_challenge } = consent;
  const fields = {
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: SCOPES.join(' '),
    state,
    code_challenge,
    code_challenge_method: 'S256',
  };
  url.search = toSearchParams(fields).toString();
  return url.href;
}

/** Throws MarketplaceError: `refused` for a code that is wrong, used or too old. */
export function exchangeCode(
  options: OAuthOptions,
  grant: { code: string; redirect_uri: string; code_verifier: string },
): Promise<ShopTokens> {
  return requestTokens(
    options,
    { grant_type: 'authorization_code', client_id: options.keystring, ...grant },
    [...SCOPES],
  );
}

/** The refresh token rotates with each use. Throws MarketplaceError `reconnect` when the grant is gone. */
export async function refreshTokens(options: OAuthOptions, tokens: ShopTokens): Promise<ShopTokens> {
  try {
    const { refresh_token } = tokens;
    const fields = { grant_type: 'refresh_token', client_id: options.keystring, refresh_token };
    return await requestTokens(options, fields, tokens.scopes);
  } catch (cause) {
    if (!(cause instanceof MarketplaceError) || cause.failure !== 'refused') throw cause;
    throw new MarketplaceError('reconnect', cause.message, { status: cause.status, cause });
  }
}

async function requestTokens(
  { http, getApiUrl, clock }: OAuthOptions,
  fields: FormFields,
  scopes: string[],
): Promise<ShopTokens> {
  const url = new URL(TOKEN_PATH, await getApiUrl());
  const answer = await http
    .send({ method: 'POST', url, headers: {}, body: encodeForm(fields), deadline_ms: DEADLINE_MS })
    .catch((cause: unknown) => {
      if (!(cause instanceof HttpFailure)) throw cause;
      throw new MarketplaceError('unavailable', cause.message, { cause });
    });
  const { status } = answer;
  if (status === 200) {
    const tokens = parseTokens(answer.text, clock.now(), scopes);
    if (tokens) return tokens;
  }
  const { message, oauth_error } = parseRefusal(answer);
  if (status === 429 || status >= 500 || status === 200)
    throw new MarketplaceError('unavailable', message, { status });
  // Only the grant's own refusal is about the grant; anything else is about us.
  const isGrant = oauth_error === 'invalid_grant' || /invalid_grant|revoked|expired/i.test(message);
  throw new MarketplaceError(isGrant ? 'refused' : 'credentials', message, { status });
}

function parseTokens(text: string, now: Date, scopes: string[]): ShopTokens | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (body === null || typeof body !== 'object') return undefined;
  const { access_token, refresh_token, expires_in } = body as Record<string, unknown>;
  if (typeof access_token !== 'string' || typeof refresh_token !== 'string') return undefined;
  const lifetime_s = typeof expires_in === 'number' ? expires_in : 3600;
  const access_expires_at = new Date(now.getTime() + lifetime_s * 1000).toISOString();
  return { access_token, refresh_token, access_expires_at, scopes };
}
