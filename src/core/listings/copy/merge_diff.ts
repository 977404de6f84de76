import { toCanonicalJson } from '../../text/canonical_json.js';

type Json = Record<string, unknown>;

/** The JSON Merge Patch (RFC 7396) that makes `to` of `from`; undefined where they are the same. */
export function buildMergePatch(from: Json, to: Json): Json | undefined {
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
