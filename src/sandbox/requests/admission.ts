import type { Caller, Route } from './call.js';
import type { Request } from './endpoint.js';
import { INVENTED, VERBATIM } from './messages.js';
import { buildAuthRefusal, buildRefusal, Refusal } from './refusal.js';
import type { Database } from '../store/database.js';
import { findApplication, type Application } from '../store/applications.js';
import { findToken } from '../store/tokens.js';

/**
 * Checks the application key, then the bearer token, then the scope. The rate limits come after these, so a
 * call refused here is not counted. The marketplace does not publish its order; this one is ours.
 */
export function checkCredentials(
  db: Database,
  route: Route | undefined,
  request: Request,
  now_ms: number,
): { application: Application; caller: Caller | undefined } | { refusal: Refusal } {
  const application = findKey(db, request.headers['x-api-key']);
  if (application instanceof Refusal) return { refusal: application };
  const bearer = request.headers.authorization;
  const scopes = route?.scopes ?? [];
  if (bearer === undefined) {
    return scopes.length > 0
      ? { refusal: buildRefusal(403, VERBATIM.no_user) }
      : { application, caller: undefined };
  }
  const token = findToken(db, 'access', bearer.replace(/^Bearer /i, ''));
  if (!token || token.keystring !== application.keystring) {
    return { refusal: buildAuthRefusal(401, 'invalid_token', INVENTED.token_unknown) };
  }
  if (token.is_revoked) return { refusal: buildAuthRefusal(401, 'invalid_token', INVENTED.token_revoked) };
  if (token.expires_at <= now_ms) {
    return { refusal: buildAuthRefusal(401, 'invalid_token', VERBATIM.token_expired) };
  }
  if (!scopes.every((scope) => token.scopes.includes(scope))) {
    return { refusal: buildAuthRefusal(403, 'insufficient_scope', VERBATIM.insufficient_scope) };
  }
  return { application, caller: { user_id: token.user_id, scopes: token.scopes } };
}

function findKey(db: Database, header: string | string[] | undefined): Application | Refusal {
  const [, keystring, shared_secret] = /^([^:]+):([^:]+)$/.exec(String(header)) ?? [];
  if (keystring === undefined) return buildRefusal(403, VERBATIM.secret_missing);
  const found = findApplication(db, keystring);
  if (found === undefined || found.shared_secret !== shared_secret) {
    return buildRefusal(403, INVENTED.key_unknown);
  }
  return found;
}
