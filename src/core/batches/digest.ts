import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../text/canonical_json.js';

/** Hashes everything that identifies a repeated call, except its idempotency key. SHA-256, hex. */
export function toDigest(
  operation: string,
  { idempotency_key: _, ...body }: { batch_id?: string; idempotency_key?: string | undefined },
) {
  return createHash('sha256')
    .update(toCanonicalJson([operation, body]))
    .digest('hex');
}
