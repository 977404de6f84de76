import type { IdNames } from '../../ports/listing/difference.js';
import { cleanForeign } from '../../text/foreign.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { normalize } from '../../text/normalize.js';

/** Compares texts in composed form, without surrounding whitespace, and amounts in hundredths. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return toComparable(a) === toComparable(b);
}

/** Whether a response included the value: an omitted one is unknown rather than empty. */
export function isKnown(value: unknown): boolean {
  return value !== undefined;
}

/** Whether a listing is known to have a value. */
export function hasValue(seen: unknown, value: unknown): boolean {
  return isKnown(seen) && isSameValue(seen, value);
}

function toComparable(value: unknown): string {
  return toCanonicalJson(fold(value));
}

function fold(value: unknown): unknown {
  if (typeof value === 'string') return normalize(value).replaceAll('\r\n', '\n').trim();
  if (typeof value === 'number') return Math.round(value * 100) / 100;
  if (Array.isArray(value)) return value.map(fold);
  return value ?? null;
}

const MAX_CHARS = 200;

/** `Small parcel (12)` if the id has a name. */
export function nameId(names: IdNames, field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => nameId(names, field, item));
  const name = typeof value === 'number' ? names[`${field} ${value}`] : undefined;
  return name === undefined ? value : `${cleanForeign(name, MAX_CHARS)} (${Number(value)})`;
}

/** Removes duplicates: a finding that shops share appears once per shop. */
export function listUnique<Found>(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((one) => [toComparable(one), one])).values()].toReversed();
}
