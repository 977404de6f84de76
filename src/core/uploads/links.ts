import { createHash } from 'node:crypto';
import type { Caller } from '../operations/call.js';
import type { Randomness } from '../ports/index.js';

/** One-time addresses, for uploads and downloads. Their token is the only credential; the store has its hash. */
export const LINK_MINUTES = 15;
export const LINK_MS = LINK_MINUTES * 60 * 1000;

export function createToken(randomness: Randomness): string {
  return randomness.bytes(24).toString('base64url');
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The key or the grant whose end also ends the address. */
export function toLinkOwner({ credential, credential_id }: Caller): { key_id?: string; grant_id?: string } {
  if (credential === 'key') return { key_id: credential_id };
  return credential === 'token' ? { grant_id: credential_id } : {};
}
