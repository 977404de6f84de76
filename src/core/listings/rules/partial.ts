import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Issue } from '../../../../schemas/issue.js';
import type { FoundIssue } from '../../issues/issues.js';

type DeepPartial<T> = T extends readonly (infer Item)[]
  ? (DeepPartial<Item> | undefined)[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/** The valid parts of a request: values with wrong types are removed, list positions stay. */
export type PartialRequest = DeepPartial<ListingRequest>;

/** Removes the values the schema found wrong, so that rules can check the rest. */
export function withoutFound(raw: unknown, found: readonly FoundIssue[]): PartialRequest {
  const copy: unknown = structuredClone(raw ?? {});
  for (const { parts = [] } of found) removeAt(copy, parts);
  return copy !== null && typeof copy === 'object' && !Array.isArray(copy) ? copy : {};
}

/** Omits problems of values, or their parts, for which the schema already found a problem. */
export function mergeIssues(found: readonly Issue[], others: readonly Issue[]): Issue[] {
  const places = new Set(found.map(({ at }) => at));
  return [...found, ...others.filter(({ at }) => !listPrefixes(at).some((prefix) => places.has(prefix)))];
}

function removeAt(root: unknown, parts: readonly (string | number)[]): void {
  const last = parts.at(-1);
  if (last === undefined) return;
  let at: unknown = root;
  for (const part of parts.slice(0, -1)) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, part)) return;
    at = (at as Record<string, unknown>)[part];
  }
  if (at !== null && typeof at === 'object' && Object.hasOwn(at, last)) {
    (at as Record<string, unknown>)[last] = undefined;
  }
}

/** `a[0].b` becomes `a`, `a[0]`, `a[0].b`. */
function listPrefixes(path: string): string[] {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
  return [...ends, path.length].map((end) => path.slice(0, end));
}
