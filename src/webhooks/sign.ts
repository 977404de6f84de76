import { createHmac } from 'node:crypto';
import type { Randomness } from '../core/ports/index.js';

const PREFIX = 'whsec_';

/** 32 random bytes, in the Standard Webhooks format for secrets. */
export function createSecret(randomness: Randomness): string {
  return PREFIX + randomness.bytes(32).toString('base64');
}

/**
 * The value of webhook-signature: one `v1` entry for each secret, so that a rotated secret stays valid
 * alongside the new one.
 */
export function buildSignature(
  secrets: readonly string[],
  message: { id: string; timestamp_s: number; body: string },
): string {
  const { id, timestamp_s, body } = message;
  const content = `${id}.${timestamp_s}.${body}`;
  return secrets.map((secret) => `v1,${sign(secret, content)}`).join(' ');
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
