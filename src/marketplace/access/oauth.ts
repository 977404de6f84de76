import { createHash } from 'node:crypto';
import { MarketplaceError } from '../../core/ports/marketplace_call.js';
import type { ShopTokens } from '../../core/ports/records.js';
import type { Clock } from '../../core/ports/world.js';
import { buildFormBody, type Fields } from '../http/encode.js';
import { buildAnswerError, parseJson, parseRefusal, toFailure } from '../http/errors.js';
import type { Http, HttpAnswer, LostRequest } from '../http/http.js';
import { parseRetryAfter } from '../http/retry_after.js';
import { parseWire, tokenAnswer, UnreadableError } from '../map/wire.js';

/** The application that signs every request. */
export type AppIdentity = { keystring: string; shared_secret: string; user_agent: string };

export type OAuthOptions = AppIdentity & {
  /** Origin of the API. */
  api_url: string;
  http: Http;
  clock: Clock;
  timeout_ms: number;
};

/** OAuth scopes for listings, shop data and order events. Without listings_d, the service can never delete a listing. */
export const SCOPES = ['listings_r', 'listings_w', 'shops_r', 'transactions_r'] as const;

/** Without the scopes, which the marketplace does not repeat. */
type TokenPair = Omit<ShopTokens, 'scopes'>;

/**
 * An answer of the token endpoint. `invalid_grant` ends the shop's tokens; any other failure leaves them
 * unchanged.
 */
export type TokenOutcome =
  | { outcome: 'tokens'; tokens: TokenPair }
  | { outcome: 'invalid_grant'; error: MarketplaceError }
  | { outcome: 'failed'; error: MarketplaceError };

/**
 * The address to send a seller to. `redirect_uri` must match the registered one exactly; `code_verifier` is
 * 43 to 128 of `A-Za-z0-9._~-`.
 */
export function buildConsentUrl(options: {
  /** Such as https://www.etsy.com/oauth/connect. */
  consent_url: string;
  keystring: string;
  redirect_uri: string;
  /** Single use; returned with the redirect, and must be compared. */
  state: string;
  code_verifier: string;
}): string {
  const url = new URL(options.consent_url);
  const query = {
    response_type: 'code',
    client_id: options.keystring,
    redirect_uri: options.redirect_uri,
    scope: SCOPES.join(' '),
    state: options.state,
    code_challenge: createHash('sha256').update(options.code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  // Spaces as %20, as the marketplace writes them; not every parser reads a + as a space.
  url.search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return url.href;
}

/** Exchanges the code of a completed consent for tokens. A code is valid once, so this is never retried. */
export function requestCodeTokens(
  options: OAuthOptions,
  grant: { code: string; code_verifier: string; redirect_uri: string },
  signal?: AbortSignal,
): Promise<TokenOutcome> {
  const fields = { grant_type: 'authorization_code', client_id: options.keystring, ...grant };
  return requestTokens(options, fields, signal);
}

/** The marketplace revokes the refresh token when it receives this request, even if the answer is lost. */
export function requestFreshTokens(
  options: OAuthOptions,
  { refresh_token }: { refresh_token: string },
): Promise<TokenOutcome> {
  const fields = { grant_type: 'refresh_token', client_id: options.keystring, refresh_token };
  return requestTokens(options, fields);
}

async function requestTokens(
  options: OAuthOptions,
  fields: Fields,
  signal?: AbortSignal,
): Promise<TokenOutcome> {
  const { api_url, keystring, shared_secret, user_agent, http, clock, timeout_ms } = options;
  const asked_at = clock.now();
  const request = {
    method: 'POST',
    origin: new URL(api_url).origin,
    path: '/v3/public/oauth/token',
    headers: { 'x-api-key': `${keystring}:${shared_secret}`, 'user-agent': user_agent },
    body: buildFormBody(fields),
    timeout_ms,
  } as const;
  return toOutcome(await http.send(request, signal), asked_at, clock);
}

function toOutcome(answer: HttpAnswer | LostRequest, asked_at: Date, clock: Clock): TokenOutcome {
  if ('reason' in answer) {
    const error = new MarketplaceError('unavailable', answer.reason, { cause: answer.cause, is_ours: true });
    return { outcome: 'failed', error };
  }
  if (answer.status >= 200 && answer.status < 300) {
    try {
      return { outcome: 'tokens', tokens: toTokenPair(answer, asked_at) };
    } catch (cause) {
      if (!(cause instanceof UnreadableError)) throw cause;
      // The body could contain a token, so the error includes none of it.
      const refusal = { text: `HTTP ${answer.status} without usable tokens`, fields: [] };
      return { outcome: 'failed', error: buildAnswerError('unavailable', answer, refusal) };
    }
  }
  const refusal = parseRefusal(answer);
  if (refusal.code === 'invalid_grant') {
    return { outcome: 'invalid_grant', error: buildAnswerError('reconnect', answer, refusal) };
  }
  const statusFailure = toFailure(answer, refusal, { is_read: true, has_token: false });
  // The call that needed the token was not sent; a refusal here must not look like a refusal of that call.
  const failure =
    statusFailure === 'refused' || statusFailure === 'not_found' ? 'unavailable' : statusFailure;
  const retry_after_seconds = parseRetryAfter(answer, clock.now()) / 1000;
  const error = buildAnswerError(failure, answer, refusal, {
    ...(failure === 'rate_limited' && { retry_after_seconds }),
  });
  return { outcome: 'failed', error };
}

function toTokenPair(answer: HttpAnswer, asked_at: Date): TokenPair {
  const { access_token, refresh_token, expires_in } = parseWire(tokenAnswer, parseJson(answer.text));
  const access_expires_at = new Date(asked_at.getTime() + expires_in * 1000).toISOString();
  return { access_token, refresh_token, access_expires_at };
}
