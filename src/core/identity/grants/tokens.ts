import { createHash } from 'node:crypto';
import type { GrantScope, GrantTokens, Randomness } from '../../ports/index.js';
import { buildSecret, hashSecret } from '../secret.js';

const ACCESS_LIFE_S = 60 * 60;
/** How long a grant lasts if its client does not refresh it. */
const IDLE_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

/** The answer of the token endpoint (RFC 6749, section 5.1). Tokens are opaque: their meaning is in the store. */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: GrantScope;
};

/** The scopes that a grant can have. */
export const SCOPES = ['read', 'write'] as const;
export const FULL_SCOPE: GrantScope = 'read write';

/**
 * Chooses the scope of a grant. It is read-only if the client asks for `read` without `write`. A client that names no scope,
 * or unknown ones, gets all; the person sees that, and the token answer names the scope.
 */
export function chooseScope(asked: string | undefined): GrantScope {
  const words = (asked ?? '').split(' ');
  return words.includes('read') && !words.includes('write') ? 'read' : FULL_SCOPE;
}

export function buildCode(randomness: Randomness): string {
  return `mlsc_${buildSecret(randomness)}`;
}

/** The secret that all refresh tokens of a grant begin with, by which even an outdated token finds its grant. */
export function buildFamily(randomness: Randomness): string {
  return buildSecret(randomness);
}

export function buildTokens(
  { family, scope }: { family: string; scope: GrantScope },
  randomness: Randomness,
): { answer: TokenAnswer; kept: GrantTokens } {
  const access_token = `mlsa_${buildSecret(randomness)}`;
  const refresh_token = `mlsr_${family}_${buildSecret(randomness)}`;
  return {
    answer: { access_token, token_type: 'Bearer', expires_in: ACCESS_LIFE_S, refresh_token, scope },
    kept: {
      access_sha256: hashSecret(access_token),
      access_life_ms: ACCESS_LIFE_S * 1000,
      refresh_sha256: hashSecret(refresh_token),
      life_ms: IDLE_LIFE_MS,
    },
  };
}

export function isAccessToken(token: string): boolean {
  return /^mlsa_[0-9A-Za-z]{43}$/.test(token);
}

/** The family of a refresh token, or undefined if it is not one. */
export function readFamily(refresh_token: string): string | undefined {
  return /^mlsr_([0-9A-Za-z]{43})_[0-9A-Za-z]{43}$/.exec(refresh_token)?.[1];
}

/** Whether the code verifier matches the challenge (RFC 7636, only method S256). */
export function isVerifierOf(code_challenge: string, code_verifier: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(code_verifier)) return false;
  return createHash('sha256').update(code_verifier).digest('base64url') === code_challenge;
}
