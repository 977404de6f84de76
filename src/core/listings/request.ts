import { createHash } from 'node:crypto';
import type { ListingRequest } from '../../../schemas/listing_request.js';

/** Everything but the key that names it, in a form that does not depend on the order of keys. SHA-256, hex. */
export function buildDigest(request: ListingRequest): string {
  const { idempotency_key: _key, ...body } = request;
  return createHash('sha256').update(toCanonicalJson(body)).digest('hex');
}

export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Positions in images[] in the order they are sent: by rank, or as given. */
export function listImageOrder(images: NonNullable<ListingRequest['images']>): number[] {
  const order = images.map((_, index) => index);
  return order.sort((a, b) => (images[a]?.rank ?? a + 1) - (images[b]?.rank ?? b + 1));
}
