import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Forgery } from '../../../schemas/issues/requests.js';
import type { SignedMessage } from '../../core/orders/message.js';

/**
 * Standard Webhooks: the signature covers the time of the message, so that a recorded message soon becomes
 * worthless.
 */
const TOLERANCE_S = 300;

/** Why a message is refused; undefined if one of the secrets signed it within the last five minutes. */
export function findForgery(
  { id, timestamp, signature, body }: SignedMessage,
  secrets: readonly string[],
  now: Date,
): Forgery | undefined {
  if (!id || !timestamp || !signature) return 'header_missing';
  if (!/^\d{1,12}$/.test(timestamp)) return 'timestamp_wrong';
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_S) return 'timestamp_far';
  const signatures = listSignatures(signature);
  const expected = secrets.map((secret) =>
    createHmac('sha256', toKey(secret)).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  // Every pair is compared, so that the duration does not reveal which one matched.
  const matches = expected.flatMap((right) => signatures.map((given) => isEqual(given, right)));
  return matches.includes(true) ? undefined : 'signature_wrong';
}

/**
 * Entries are separated by spaces, and are `v1,BASE64` or bare base64. Entries of other versions are skipped.
 */
function listSignatures(header: string): Buffer[] {
  return header.split(' ').flatMap((entry) => {
    const [version, signature] = entry.includes(',') ? entry.split(',', 2) : ['v1', entry];
    return version === 'v1' && signature ? [Buffer.from(signature, 'base64')] : [];
  });
}

function isEqual(given: Buffer, right: Buffer): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}

function toKey(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}
