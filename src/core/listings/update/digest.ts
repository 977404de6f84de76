import { createHash } from 'node:crypto';
import type { UpdateRequest } from '../../../../schemas/listing_changes.js';
import { toCanonicalJson } from '../../text/canonical_json.js';

/** Of all that makes an update the same: not of the key that names it, nor of the order of its keys. SHA-256, hex. */
export function buildUpdateDigest(input: UpdateRequest): string {
  const { idempotency_key: _key, dry_run: _dry, on_drift = 'refuse', ...body } = input;
  return createHash('sha256')
    .update(toCanonicalJson(['listing_update', { ...body, on_drift }]))
    .digest('hex');
}
