import { buildRefusal } from '../requests/refusal.js';
import type { Database } from '../store/database.js';
import { findMade, saveApplication, type Application } from '../store/applications.js';
import type { JsonObject } from './requests.js';

/**
 * Makes an application, or changes what is named of one that was made here. Body: `{keystring, shared_secret, user_id?,
 * rate_per_second?, rate_per_day?, is_revoked?}`; with a user_id, only that user can give it a grant.
 */
export function writeApplication(db: Database, body: JsonObject): Application {
  const keystring = parseWord(body, 'keystring');
  const before = findMade(db, keystring);
  return saveApplication(db, {
    keystring,
    shared_secret:
      body.shared_secret === undefined && before ? before.shared_secret : parseWord(body, 'shared_secret'),
    user_id: parseCount(body, 'user_id') ?? before?.user_id ?? null,
    rate_per_second: parseCount(body, 'rate_per_second') ?? before?.rate_per_second ?? null,
    rate_per_day: parseCount(body, 'rate_per_day') ?? before?.rate_per_day ?? null,
    is_revoked: body.is_revoked === undefined ? (before?.is_revoked ?? false) : body.is_revoked === true,
  });
}

function parseWord(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && /^[^\s:]+$/.test(value)) return value;
  throw buildRefusal(400, `${name} must be a text without spaces and colons.`);
}

function parseCount(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw buildRefusal(400, `${name} must be a positive integer.`);
}
