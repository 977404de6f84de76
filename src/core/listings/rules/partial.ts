import type { ListingRequest } from '../../../../schemas/listing_request.js';

type DeepPartial<T> = T extends readonly (infer Item)[]
  ? (DeepPartial<Item> | undefined)[]
  : T extends object
    ? { [Key in keyof T]?: DeepPartial<T[Key]> | undefined }
    : T;

/** A request as far as its types were right: what was not has been taken out, list positions stay. */
export type PartialRequest = DeepPartial<ListingRequest>;

/** Takes out the values at these paths (as formatPath writes them), so that rules can look at the rest. */
export function withoutPaths(raw: unknown, paths: readonly string[]): PartialRequest {
  const copy: unknown = structuredClone(raw ?? {});
  for (const path of paths) removeAt(copy, path.match(/[^.[\]]+/g) ?? []);
  return copy !== null && typeof copy === 'object' && !Array.isArray(copy) ? copy : {};
}

function removeAt(root: unknown, parts: readonly string[]): void {
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
