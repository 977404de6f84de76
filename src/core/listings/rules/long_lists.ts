import { FIELD_RULES } from './field_rules.js';
import type { PartialRequest } from './partial.js';
import { listValues } from './values.js';

/**
 * A list up to this many times its limit is still checked entry by entry, so that a list with one tag too many gets
 * all its problems.
 */
const SLACK = 2;

/**
 * Shortens lists and records of a request that far exceed their rule's limit. Rules that compare items with one
 * another would take minutes over the 100,000 that fit into a body, and the marketplace would be asked about each
 * of them.
 */
export function cutLists(request: PartialRequest): PartialRequest {
  if (!LISTS.some(({ path, most }) => listValues(request, path).some(({ value }) => count(value) > most))) {
    return request;
  }
  const copy = structuredClone(request);
  for (const { path, most } of LISTS) {
    for (const { value } of listValues(copy, path)) cut(value, most);
  }
  return copy;
}

/** Outer lists come before the lists in their items. */
const LISTS = FIELD_RULES.flatMap(({ path, max_items }) =>
  max_items === undefined ? [] : [{ path, most: max_items * SLACK }],
);

function count(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function cut(value: unknown, most: number): void {
  if (Array.isArray(value)) value.length = Math.min(value.length, most);
  else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value).slice(most)) delete (value as Record<string, unknown>)[key];
  }
}
