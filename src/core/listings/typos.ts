import { z } from 'zod/v3';
import type { Warning } from '../../../schemas/job.js';
import { listingRequest, type ListingRequest } from '../../../schemas/listing_request.js';
import { toOfferingKey } from './rules/variation_rules.js';

/** Keys that the interface does not know and that look like one it knows: allowed, and mentioned. */
export function listTypos(request: ListingRequest): Warning[] {
  // A property's name is a key of every offering, however much it looks like another.
  const names = new Set((request.variations?.properties ?? []).map(({ name }) => toOfferingKey(name)));
  return listIn(listingRequest, request, '').filter(
    ({ fields: [field = ''] }) =>
      !(field.startsWith('variations.offerings[') && names.has(field.split('.').at(-1) ?? '')),
  );
}

function listIn(schema: z.ZodTypeAny, value: unknown, path: string): Warning[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) {
    return Array.isArray(value)
      ? value.flatMap((item, index) => listIn(inner.element as z.ZodTypeAny, item, `${path}[${index}]`))
      : [];
  }
  if (inner instanceof z.ZodRecord && value !== null && typeof value === 'object') {
    const field = inner.valueSchema as z.ZodTypeAny;
    return Object.entries(value).flatMap(([key, item]) => listIn(field, item, `${path}.${key}`));
  }
  if (!(inner instanceof z.ZodObject) || value === null || typeof value !== 'object') return [];
  const shape = inner.shape as Record<string, z.ZodTypeAny>;
  const known = Object.keys(shape);
  return Object.entries(value).flatMap(([key, item]) => {
    const at = path ? `${path}.${key}` : key;
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (field) return listIn(field, item, at);
    const meant = known.find(
      (candidate) =>
        !Object.hasOwn(value, candidate) && (isOneSlipAway(key, candidate) || hasSameWords(key, candidate)),
    );
    if (meant === undefined) return [];
    return [
      {
        code: 'unknown_field',
        fields: [at],
        reason: `"${key}" is not known and was ignored; did you mean "${meant}"?`,
      },
    ];
  });
}

function unwrap(schema: z.ZodTypeAny): z.ZodTypeAny {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodTypeAny)
    : schema;
}

/** `image_urls` for `images`, `weight` for `item_weight`: one has all words of the other; singular and plural are one. */
function hasSameWords(key: string, candidate: string): boolean {
  if (key.length > 64) return false;
  const [a, b] = [listWords(key), listWords(candidate)];
  return a.every((word) => b.includes(word)) || b.every((word) => a.includes(word));
}

/** Of `image_urls`, `image-urls` and `imageUrls` alike. */
function listWords(key: string): string[] {
  const words = key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/);
  return words.map((word) => word.replace(/s$/, ''));
}

/** One letter too many, missing, wrong, or two changed over; case and separators do not count. */
function isOneSlipAway(key: string, candidate: string): boolean {
  const a = key.toLowerCase().replace(/[_\s-]/g, '');
  const b = candidate.replace(/_/g, '');
  if (a === b) return true;
  if (a.length > 64 || b.length < 4 || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const restA = a.slice(start);
  const restB = b.slice(start);
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return (
    restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1) || isSwapped
  );
}
