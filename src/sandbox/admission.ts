import type { FastifyRequest } from 'fastify';
import type { Caller, Route } from './call.js';
import { INVENTED, VERBATIM } from './messages.js';
import { buildAuthRefusal, buildRefusal } from './refusal.js';
import type { Refusal } from './refusal.js';
import type { Database } from './store/database.js';
import { findToken } from './store/tokens.js';
import { SANDBOX_APP } from './world/shops.js';

/**
 * Application key, then bearer, then scope. The rate limits come after these, so a call refused here is not counted.
 * The marketplace does not publish its order; this one is ours.
 */
export function checkCredentials(
  db: Database,
  route: Route | undefined,
  request: FastifyRequest,
  now_ms: number,
): { caller: Caller | undefined } | { refusal: Refusal } {
  const keyRefusal = checkKey(request.headers['x-api-key']);
  if (keyRefusal) return { refusal: keyRefusal };
  const bearer = request.headers.authorization;
  const scopes = route?.scopes ?? [];
  if (bearer === undefined) {
    return scopes.length > 0 ? { refusal: buildRefusal(403, VERBATIM.no_user) } : { caller: undefined };
  }
  const token = findToken(db, 'access', bearer.replace(/^Bearer /i, ''));
  if (!token) return { refusal: buildAuthRefusal(401, 'invalid_token', INVENTED.token_unknown) };
  if (token.is_revoked) return { refusal: buildAuthRefusal(401, 'invalid_token', INVENTED.token_revoked) };
  if (token.expires_at <= now_ms) {
    return { refusal: buildAuthRefusal(401, 'invalid_token', VERBATIM.token_expired) };
  }
  if (!scopes.every((scope) => token.scopes.includes(scope))) {
    return { refusal: buildAuthRefusal(403, 'insufficient_scope', VERBATIM.insufficient_scope) };
  }
  return { caller: { user_id: token.user_id, scopes: token.scopes } };
}

function checkKey(header: string | string[] | undefined): Refusal | undefined {
  if (typeof header !== 'string' || !/^[^:]+:[^:]+$/.test(header)) {
    return buildRefusal(403, VERBATIM.secret_missing);
  }
  const isKnown = header === `${SANDBOX_APP.keystring}:${SANDBOX_APP.shared_secret}`;
  return isKnown ? undefined : buildRefusal(403, INVENTED.key_unknown);
}
