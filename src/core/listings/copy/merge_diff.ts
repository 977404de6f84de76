import type { ListingRequest } from '../../../../schemas/listing_request.js';
import { toCanonicalJson } from '../../text/canonical_json.js';

type Json = Record<string, unknown>;

/** The differences of one shop's request from the listing's, in all that is about the product: see ShopProgress.changes. */
export function buildOwnChanges(request: ListingRequest, own: ListingRequest): Json | undefined {
  return buildMergePatch(toProduct(request), toProduct(own));
}

/** The part of a request that is about the product, and not about shops or the call. */
function toProduct(request: ListingRequest): Json {
  const { shops: _shops, state: _state, idempotency_key: _key, ...product } = request;
  return product;
}

/** The JSON Merge Patch (RFC 7396) that makes `to` of `from`; undefined where they are the same. */
function buildMergePatch(from: Json, to: Json): Json | undefined {
  const patch: Json = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [from[key], to[key]];
    if (toCanonicalJson(before ?? null) === toCanonicalJson(after ?? null)) continue;
    if (after === undefined || after === null) patch[key] = null;
    else patch[key] = isObject(before) && isObject(after) ? buildMergePatch(before, after) : after;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
