import { createHash } from 'node:crypto';
import type { Fields } from './requests/call.js';
import { VERBATIM } from './requests/messages.js';
import type { SandboxPorts } from './ports.js';
import { buildAuthRefusal } from './requests/refusal.js';
import type { Database } from './store/database.js';
import { findApplication, type Application } from './store/applications.js';
import { findGrantee, issueTokens, findToken, revokeToken, saveGrantee } from './store/tokens.js';
import type { TokenPair } from './store/tokens.js';

const CODE_TTL_MS = 10 * 60 * 1000;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const KNOWN_SCOPES: readonly string[] = (
  'address_r address_w billing_r cart_r cart_w email_r favorites_r favorites_w feedback_r listings_d ' +
  'listings_r listings_w profile_r profile_w recommend_r recommend_w shops_r shops_w transactions_r transactions_w'
).split(' ');

export type ConsentRequest = {
  application: Application;
  redirect_uri: string;
  scopes: string[];
  state: string;
  code_challenge: string;
};

/**
 * `shown`: there is no safe address to redirect to, so a page shows the problem; other problems go back to
 * the application.
 */
type ConsentProblem = { shown: boolean; error: string; description: string };

/** Reads the address of the consent page. All of its parameters are required. */
export function parseConsentRequest(db: Database, fields: Fields): ConsentRequest | ConsentProblem {
  const text = (name: string): string => fields.get(name) ?? '';
  const application = findApplication(db, text('client_id'));
  if (!application) {
    return { shown: true, error: 'invalid_client', description: 'The client_id belongs to no application.' };
  }
  const redirect_uri = text('redirect_uri');
  if (!isRedirectAllowed(redirect_uri)) {
    return {
      shown: true,
      error: 'invalid_request',
      description: 'The redirect_uri must be https, or http on this machine.',
    };
  }
  if (text('response_type') !== 'code')
    return buildProblem('unsupported_response_type', 'response_type must be code');
  if (text('state') === '') return buildProblem('invalid_request', 'state is required');
  if (text('code_challenge_method') !== 'S256' || !CHALLENGE.test(text('code_challenge'))) {
    return buildProblem('invalid_request', 'a code_challenge with method S256 is required');
  }
  const scopes = text('scope').split(' ').filter(Boolean);
  if (scopes.length === 0 || !scopes.every((scope) => KNOWN_SCOPES.includes(scope))) {
    return buildProblem('invalid_scope', 'scope names unknown permissions, or none');
  }
  return { application, redirect_uri, scopes, state: text('state'), code_challenge: text('code_challenge') };
}

function buildProblem(error: string, description: string): ConsentProblem {
  return { shown: false, error, description };
}

/** The code of a given consent: valid once, for ten minutes. */
export function issueCode(
  db: Database,
  ports: SandboxPorts,
  user_id: number,
  request: ConsentRequest,
): string {
  const code = ports.randomText();
  db.run(
    'INSERT INTO codes (code, user_id, scopes, redirect_uri, code_challenge, expires_at) VALUES (?,?,?,?,?,?)',
    code,
    user_id,
    request.scopes.join(' '),
    request.redirect_uri,
    request.code_challenge,
    ports.nowMs() + CODE_TTL_MS,
  );
  saveGrantee(db, code, request.application.keystring);
  return code;
}

/** The token endpoint. A refresh rotates: the old refresh token becomes invalid at once. */
export function exchange(db: Database, ports: SandboxPorts, fields: Fields, access_ttl_s: number): TokenPair {
  const keystring = fields.get('client_id') ?? '';
  if (!findApplication(db, keystring)) {
    throw buildAuthRefusal(401, 'invalid_client', 'client_id is unknown');
  }
  const grant_type = fields.get('grant_type');
  if (grant_type === 'authorization_code') return exchangeCode(db, ports, keystring, fields, access_ttl_s);
  if (grant_type === 'refresh_token') return exchangeRefreshToken(db, ports, keystring, fields, access_ttl_s);
  throw buildAuthRefusal(
    400,
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token',
  );
}

type CodeRow = {
  user_id: number;
  scopes: string;
  redirect_uri: string;
  code_challenge: string;
  expires_at: number;
};

function exchangeCode(
  db: Database,
  ports: SandboxPorts,
  keystring: string,
  fields: Fields,
  access_ttl_s: number,
): TokenPair {
  const row = db.find<CodeRow>(
    'UPDATE codes SET is_used = 1 WHERE code = ? AND is_used = 0 RETURNING *',
    fields.get('code') ?? '',
  );
  const isOwn = findGrantee(db, fields.get('code') ?? '') === keystring;
  if (!row || !isOwn || row.expires_at <= ports.nowMs())
    throw invalidGrant('code is invalid, expired or used');
  if (row.redirect_uri !== fields.get('redirect_uri')) throw invalidGrant('redirect_uri does not match');
  const verifier = fields.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  if (!VERIFIER.test(verifier) || challenge !== row.code_challenge) {
    throw invalidGrant('code_verifier does not match');
  }
  const { user_id, scopes } = row;
  return issueTokens(db, ports, { user_id, scopes: scopes.split(' '), keystring }, access_ttl_s);
}

function exchangeRefreshToken(
  db: Database,
  ports: SandboxPorts,
  keystring: string,
  fields: Fields,
  access_ttl_s: number,
): TokenPair {
  const refresh_token = fields.get('refresh_token') ?? '';
  const token = findToken(db, 'refresh', refresh_token);
  if (!token || token.keystring !== keystring) throw invalidGrant('refresh_token is unknown');
  if (token.is_revoked) throw invalidGrant(VERBATIM.refresh_revoked);
  if (token.expires_at <= ports.nowMs()) throw invalidGrant('refresh_token is expired');
  revokeToken(db, refresh_token);
  return issueTokens(db, ports, token, access_ttl_s);
}

function invalidGrant(description: string) {
  return buildAuthRefusal(400, 'invalid_grant', description);
}

function isRedirectAllowed(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, hash } = new URL(text);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return hash === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}
