import { createHash } from 'node:crypto';
import type { ListingRequest, ShopTarget } from '../../../../schemas/listing_request.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { buildValidationError } from '../../issues/issues.js';

/** The caller's key from the body or the header: 1 to 255 visible ASCII characters. Null if there is none. */
export function readIdempotencyKey(
  request: Pick<ListingRequest, 'idempotency_key'>,
  header: string | undefined,
): string | null {
  const { idempotency_key: own } = request;
  if (own !== undefined && header !== undefined && own !== header) {
    throw buildValidationError([{ code: 'idempotency_key_differs', at: 'idempotency_key', params: {} }]);
  }
  const key = own ?? header;
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw buildValidationError([{ code: 'idempotency_key_wrong', at: 'idempotency_key', params: {} }]);
  }
  return key;
}

/** Identifies a request, whatever the order of its keys. SHA-256, hex. */
export function toDigest(asked: unknown): string {
  return createHash('sha256').update(toCanonicalJson(asked)).digest('hex');
}

/**
 * Everything except the key that names the request, the token that confirms it, and whether it is a dry run, in a
 * form that does not depend on the order of keys. SHA-256, hex.
 * @param contents the content of each file by service-upload:// URL: the same photo uploaded again is the same
 * request
 */
export function buildDigest(request: ListingRequest, contents: ReadonlyMap<string, string>): string {
  const { idempotency_key: _key, confirm: _confirm, dry_run: _dry, ...body } = request;
  const files = (['images', 'digital_files', 'videos'] as const).flatMap((name) => {
    const entries: readonly { url: string }[] | undefined = body[name];
    return entries
      ? [[name, entries.map((entry) => ({ ...entry, url: contents.get(entry.url) ?? entry.url }))]]
      : [];
  });
  const known = { ...body, ...Object.fromEntries(files) };
  return toDigest(known);
}

/** Positions in images[] in sending order: by rank, or as given. */
export function listImageOrder(images: NonNullable<ListingRequest['images']>): number[] {
  const order = images.map((_, index) => index);
  return order.sort((a, b) => (images[a]?.rank ?? a + 1) - (images[b]?.rank ?? b + 1));
}

/** The shop at this position of a request. */
export function getShopTarget({ shops }: ListingRequest, index: number): ShopTarget {
  const target = shops[index];
  if (!target) throw new Error(`no shop at index ${index}: the request has ${shops.length} shops`);
  return target;
}
