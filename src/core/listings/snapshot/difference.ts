import type { IdNames } from '../../ports/listing/difference.js';
import { cleanForeign } from '../../text/foreign.js';
import { toCanonicalJson } from '../../text/canonical_json.js';
import { normalize } from '../../text/normalize.js';

/** Texts are compared composed, without space around them; amounts in hundredths. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return toComparable(a) === toComparable(b);
}

/** Whether an answer had the value: one that it left out is unknown, and not none. */
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

/** `Small parcel (12)` where the id has a name. */
export function nameId(names: IdNames, field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => nameId(names, field, item));
  const name = typeof value === 'number' ? names[`${field} ${value}`] : undefined;
  return name === undefined ? value : `${cleanForeign(name, MAX_CHARS)} (${Number(value)})`;
}

/** Each once: what several shops have in common is found for each of them. */
export function listUnique<Found>(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((one) => [toComparable(one), one])).values()].toReversed();
}
