import type { SandboxPorts } from '../ports.js';
import { SANDBOX_APP } from '../world/shops.js';
import type { Database } from './database.js';

/** The answer of the token endpoint; both tokens are `<user_id>.<random text>`. */
export type TokenPair = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
};

type TokenKind = 'access' | 'refresh';
/** The user who gave a grant, and the application that has it. */
type Grant = { user_id: number; scopes: readonly string[]; keystring: string };

type Token = Grant & {
  expires_at: number;
  is_revoked: boolean;
};

const REFRESH_TTL_MS = 90 * 24 * 60 * 60 * 1000;

export function issueTokens(
  db: Database,
  ports: SandboxPorts,
  { user_id, scopes, keystring }: Grant,
  access_ttl_s: number,
): TokenPair {
  const now_ms = ports.nowMs();
  const add = (kind: TokenKind, ttl_ms: number): string => {
    const token = `${user_id}.${ports.randomText()}`;
    db.run(
      'INSERT INTO tokens (token, kind, user_id, scopes, expires_at) VALUES (?,?,?,?,?)',
      token,
      kind,
      user_id,
      scopes.join(' '),
      now_ms + ttl_ms,
    );
    saveGrantee(db, token, keystring);
    return token;
  };
  return {
    access_token: add('access', access_ttl_s * 1000),
    token_type: 'Bearer',
    expires_in: access_ttl_s,
    refresh_token: add('refresh', REFRESH_TTL_MS),
  };
}

export function findToken(db: Database, kind: TokenKind, token: string): Token | undefined {
  const row = db.find<{ user_id: number; scopes: string; expires_at: number; is_revoked: number }>(
    'SELECT user_id, scopes, expires_at, is_revoked FROM tokens WHERE token = ? AND kind = ?',
    token,
    kind,
  );
  return (
    row && {
      user_id: row.user_id,
      scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
      keystring: findGrantee(db, token),
      expires_at: row.expires_at,
      is_revoked: row.is_revoked === 1,
    }
  );
}

/** The application that a code or a token was issued to. */
export function findGrantee(db: Database, secret: string): string {
  const row = db.find<{ keystring: string }>(
    'SELECT keystring FROM application_grants WHERE secret = ?',
    secret,
  );
  return row?.keystring ?? SANDBOX_APP.keystring;
}

export function saveGrantee(db: Database, secret: string, keystring: string): void {
  if (keystring === SANDBOX_APP.keystring) return;
  db.run('INSERT INTO application_grants VALUES (?, ?)', secret, keystring);
}

export function revokeToken(db: Database, token: string): void {
  db.run('UPDATE tokens SET is_revoked = 1 WHERE token = ?', token);
}

/** Revokes all tokens of a user, as after a change of password. */
export function revokeTokensOfUser(db: Database, user_id: number): number {
  return db.run('UPDATE tokens SET is_revoked = 1 WHERE user_id = ?', user_id);
}

/** Expires the user's access tokens now; refresh tokens stay valid. */
export function expireAccessTokens(db: Database, user_id: number, now_ms: number): number {
  return db.run(
    `UPDATE tokens SET expires_at = min(expires_at, ?) WHERE user_id = ? AND kind = 'access'`,
    now_ms,
    user_id,
  );
}
