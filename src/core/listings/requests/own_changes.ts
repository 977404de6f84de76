import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { OwnChanges } from '../../ports/listing/changes.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { isSameValue } from '../snapshot/difference.js';

/*
 * The values of one shop. A listing has one request, which its shops share; differing values of a shop are stored with
 * the shop. The shop's price, profiles and section have their own place in shops[] of the request.
 */

type Json = Record<string, unknown>;

/** A shop of a listing, with its own values, if any. */
export type OwnPlace = { shop_id: number; progress: { changes?: Json | undefined } };

/**
 * The request of one shop, including its own values.
 * @param own replaces the current own values of these shops
 */
export function toShopRequest(
  request: ListingRequest,
  publications: readonly OwnPlace[],
  shop_id: number,
  own: readonly OwnChanges[] = [],
): ListingRequest {
  const { changes } = own.find((one) => one.shop_id === shop_id) ?? {
    changes: findOwn(publications, shop_id),
  };
  return applyOwnChanges(request, changes);
}

/** @param changes a JSON Merge Patch computed between two valid requests */
export function applyOwnChanges(request: ListingRequest, changes: Json | undefined): ListingRequest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- patching one valid request gives the other
  return changes ? (mergePatch(request, changes) as ListingRequest) : request;
}

/** The differences of one shop's request from the listing's, in everything about the product. */
export function buildOwnChanges(request: ListingRequest, own: ListingRequest): Json | undefined {
  return buildMergePatch(toProduct(request), toProduct(own));
}

/** Omits shops whose own values stay the same. */
export function leaveSame(own: readonly OwnChanges[], publications: readonly OwnPlace[]): OwnChanges[] {
  return own.filter(({ shop_id, changes }) => !isSameValue(findOwn(publications, shop_id), changes));
}

function findOwn(publications: readonly OwnPlace[], shop_id: number): Json | undefined {
  return publications.find((one) => one.shop_id === shop_id)?.progress.changes;
}

/** The part of a request about the product, without shops and the call. */
function toProduct(request: ListingRequest): Json {
  const { shops: _shops, state: _state, idempotency_key: _key, ...product } = request;
  return product;
}

/** The JSON Merge Patch (RFC 7396) that turns `from` into `to`; undefined if they are the same. */
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

/**
 * JSON Merge Patch (RFC 7396): merges objects, `null` removes, everything else replaces. Changes neither argument.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Json = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
