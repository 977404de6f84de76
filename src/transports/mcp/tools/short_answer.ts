import type { Operation } from '../../../core/operations/operation.js';
import { isObject } from '../incoming.js';
import { toReadable } from './readable.js';

/**
 * The length that an assistant can read: more would fill its context, and some clients drop the whole answer.
 */
export const MAX_ANSWER_CHARS = 25_000;
/** Leaves room for the notice, and for the description of the cut. */
const MAX_FACTS_CHARS = MAX_ANSWER_CHARS - 1_000;
/** An answer this short fits even if each of its characters has to be escaped. */
const SURELY_SHORT_CHARS = 3_000;

type Facts = Record<string, unknown>;

/**
 * Cuts a tool's answer to the length that an assistant can read. A page gets fewer entries, each complete,
 * with the `limit` used and `next_offset`. Entries of shops stay one per shop: values equal to an earlier
 * shop's become `same_as_shop`, and long texts in differences become excerpts. Only then are other lists and
 * texts cut. `shortened` says so, and names the call that shows the rest. REST returns the whole answer.
 */
export function shortenAnswer(facts: Facts, operation: Pick<Operation, 'route' | 'effect'>): Facts {
  if (fits(facts)) return facts;
  const page = cutPage(facts);
  if (page && fits(page)) return page;
  let cut: Facts = page ?? facts;
  for (const step of STEPS) {
    cut = step(cut) as Facts;
    if (fits(cut)) break;
  }
  return { ...cut, shortened: describeRest(facts, operation) };
}

/** Whether an answer can be sent unchanged. */
export function fits(facts: object): boolean {
  const { length } = JSON.stringify(facts);
  if (length <= SURELY_SHORT_CHARS) return true;
  if (length > MAX_FACTS_CHARS) return false;
  // Invisible characters are written out in the text.
  return toReadable(facts).content[0].text.length <= MAX_FACTS_CHARS;
}

/**
 * Undefined for an answer that is not a page. Its longest list holds the entries. One entry is always kept,
 * however long.
 */
function cutPage(facts: Facts): Facts | undefined {
  const { limit, offset } = facts;
  if (typeof limit !== 'number' || typeof offset !== 'number') return undefined;
  const lists = Object.entries(facts).flatMap(([name, value]) =>
    Array.isArray(value) ? [{ name, entries: value as unknown[] }] : [],
  );
  const [longest] = lists.toSorted((a, b) => b.entries.length - a.entries.length);
  if (!longest) return undefined;
  const { name, entries } = longest;
  const take = (count: number): Facts => ({
    ...facts,
    [name]: entries.slice(0, count),
    limit: count,
    next_offset: offset + count,
    shortened: `Only the first ${count} entries fit. Repeat the call with offset ${offset + count} for those after them.`,
  });
  let [fitting, tooMany] = [1, entries.length];
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(take(middle))) fitting = middle;
    else tooMany = middle;
  }
  return take(fitting);
}

/** In order of what costs an assistant least. The last always fits. */
const STEPS: readonly ((facts: Facts) => unknown)[] = [
  referToShops,
  (facts) => mapDeep(facts, (value) => (isLongDifference(value) ? excerpt(value) : value)),
  ...[50, 20, 10, 5, 2].map((most) => (facts: Facts) => cutParts(facts, { most, chars: 40 * most })),
  (facts) => cutParts(facts, { most: 0, chars: 60 }),
  // Shops that are listed a second time, inside another entry.
  (facts) =>
    mapValues(facts, (value) =>
      isObject(value) ? cutParts(value, { most: 0, chars: 60, is_inner: true }) : value,
    ),
  ({ status, job_id, listing_pk, message, shops, results }) => ({
    status,
    job_id,
    listing_pk,
    message: cutText(message, 500),
    ...(isShopEntries(shops) && { shops: shops.map(toEssence) }),
    ...(isShopEntries(results) && { results: results.map(toEssence) }),
  }),
];

/** The minimum to report about a shop. */
function toEssence({ shop_id, listing_id, status, state, error }: Facts): Facts {
  return { shop_id, listing_id, status, state, error: cutText(error, 60) };
}

const isShopEntries = (value: unknown): value is Facts[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry) && 'shop_id' in entry);

/** Replaces lists of differences or warnings in the entries of shops if an earlier shop has the same list. */
function referToShops(facts: Facts): Facts {
  return mapValues(facts, (value) => {
    // The items of a batch repeat the same shop.
    if (!isShopEntries(value) || new Set(value.map(({ shop_id }) => shop_id)).size < value.length)
      return value;
    const first = new Map<string, unknown>();
    return value.map((entry) => referToShop(entry, entry['shop_id'], first));
  });
}

const REPEATED = new Set(['diff', 'drift', 'differs', 'warnings']);

function referToShop(entry: Facts, shop_id: unknown, first: Map<string, unknown>): Facts {
  return mapValues(entry, (value, name) => {
    if (name === 'details' && isObject(value)) return referToShop(value, shop_id, first);
    if (!REPEATED.has(name) || !Array.isArray(value)) return value;
    return value.map((item: unknown) => {
      const text = `${name} ${JSON.stringify(item)}`;
      const same_as_shop = first.get(text);
      if (same_as_shop === undefined) first.set(text, shop_id);
      if (same_as_shop === undefined || !isObject(item)) return item;
      return item['field'] === undefined ? { same_as_shop } : { field: item['field'], same_as_shop };
    });
  });
}

type Cut = { most: number; chars: number; is_inner?: true };

/** Cuts lists and texts. Entries of shops stay one per shop, unless they are inside another entry. */
function cutParts(value: unknown, cut: Cut): unknown {
  const { most, chars, is_inner = false } = cut;
  if (typeof value === 'string') return cutText(value, chars);
  if (Array.isArray(value)) {
    const kept = isShopEntries(value) && !is_inner ? value : value.slice(0, most);
    return kept.map((item: unknown) => cutParts(item, cut));
  }
  return isObject(value) ? mapValues(value, (each) => cutParts(each, cut)) : value;
}

function cutText(text: unknown, chars: number): unknown {
  if (typeof text !== 'string' || text.length <= chars + 40) return text;
  return `${text.slice(0, chars)}… (${text.length} characters in all)`;
}

function describeRest(
  { batch_id, job_id, listing_pk, shops, status }: Facts,
  { route, effect }: Pick<Operation, 'route' | 'effect'>,
): string {
  const what = 'This answer was too long, so lists and texts in it were cut.';
  if (status === 'valid' && Array.isArray(shops))
    return `${what} The same dry run with shops set to one shop shows that shop whole.`;
  const path =
    effect === 'read'
      ? route.path
      : typeof batch_id === 'string'
        ? '/batches?batch_id={batch_id}'
        : typeof job_id === 'string'
          ? '/listings/create/{job_id}'
          : '/listings/{listing_pk}';
  const whole = path
    .replaceAll('{batch_id}', String(batch_id))
    .replaceAll('{job_id}', String(job_id))
    .replaceAll('{listing_pk}', String(listing_pk));
  return `${what} Over REST, GET /api/v1${whole} answers whole.`;
}

function mapDeep(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((item: unknown) => mapDeep(item, change));
  return isObject(value) ? mapValues(value, (each) => mapDeep(each, change)) : value;
}

function mapValues(facts: Facts, change: (value: unknown, name: string) => unknown): Facts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, change(value, name)]));
}

const LONG_CHARS = 300;
const START_CHARS = 80;
const CHANGED_CHARS = 200;

/** The two values of a difference: the update's, and the one edited on the marketplace. */
const SIDES = [
  ['before', 'after'],
  ['ours', 'theirs'],
] as const;

/** Whether it is a difference with a text too long to repeat. */
function isLongDifference(value: unknown): value is Record<string, unknown> {
  return isObject(value) && SIDES.flat().some((name) => isLong(value[name]));
}

/**
 * The difference with excerpts of its long texts: the beginning of each, the part that differs, and its
 * length.
 */
function excerpt(difference: Record<string, unknown>): Record<string, unknown> {
  const excerpted = { ...difference };
  for (const [one, other] of SIDES) {
    const [left, right] = [difference[one], difference[other]];
    if (isLong(left)) excerpted[one] = excerptText(left, right);
    if (isLong(right)) excerpted[other] = excerptText(right, left);
  }
  return excerpted;
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > LONG_CHARS;
}

function excerptText(text: string, other: unknown) {
  return {
    start: text.slice(0, START_CHARS),
    changed: findChanged(text, typeof other === 'string' ? other : '').slice(0, CHANGED_CHARS),
    length: text.length,
  };
}

/** The text without the beginning and the end that it shares with the other. */
function findChanged(text: string, other: string): string {
  const shorter = Math.min(text.length, other.length);
  let before = 0;
  while (before < shorter && text[before] === other[before]) before += 1;
  let after = 0;
  while (after < shorter - before && text.at(-1 - after) === other.at(-1 - after)) after += 1;
  return text.slice(before, text.length - after);
}
