import type { Operation } from '../../../core/operations/operation.js';
import { isObject } from '../incoming.js';
import { excerpt, isLongDifference } from './excerpts.js';
import { toReadable } from './readable.js';

/** What an assistant can read: more would fill its context, and some clients drop the whole answer. */
export const MAX_ANSWER_CHARS = 25_000;
/** Room for the notice, and for what is said of the cut. */
const MAX_FACTS_CHARS = MAX_ANSWER_CHARS - 1_000;
/** An answer this short fits even if each of its characters has to be written as an escape. */
const SURELY_SHORT_CHARS = 3_000;

type Facts = Record<string, unknown>;

/**
 * The answer of a tool, cut to what an assistant can read. A page has fewer whole entries, with the `limit` used and `next_offset`. Entries
 * of shops stay one per shop: what is equal to an earlier shop's is `same_as_shop`, and long texts in differences become excerpts. Only
 * then are other lists and texts cut. `shortened` says so, with the call that shows the rest. REST answers whole.
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

/** Whether an answer is sent as it is. */
export function fits(facts: object): boolean {
  const { length } = JSON.stringify(facts);
  if (length <= SURELY_SHORT_CHARS) return true;
  if (length > MAX_FACTS_CHARS) return false;
  // Characters that cannot be seen are written out in the text.
  return toReadable(facts).content[0].text.length <= MAX_FACTS_CHARS;
}

/** Undefined for an answer that is no page. One entry stays, however long. */
function cutPage(facts: Facts): Facts | undefined {
  const { limit, offset } = facts;
  if (typeof limit !== 'number' || typeof offset !== 'number') return undefined;
  const [name, entries] = Object.entries(facts).find(([, value]) => Array.isArray(value)) ?? [];
  if (name === undefined || !Array.isArray(entries)) return undefined;
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

/** From what costs an assistant least. The last always fits. */
const STEPS: readonly ((facts: Facts) => unknown)[] = [
  referToShops,
  (facts) => mapDeep(facts, (value) => (isLongDifference(value) ? excerpt(value) : value)),
  ...[50, 20, 10, 5, 2].map((most) => (facts: Facts) => cutParts(facts, { most, chars: 40 * most })),
  (facts) => cutParts(facts, { most: 0, chars: 60 }),
  // Shops that are named a second time, inside of something else.
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

/** The least that is said of a shop. */
function toEssence({ shop_id, listing_id, status, state, error }: Facts): Facts {
  return { shop_id, listing_id, status, state, error: cutText(error, 60) };
}

const isShopEntries = (value: unknown): value is Facts[] =>
  Array.isArray(value) && value.length > 0 && value.every((entry) => isObject(entry) && 'shop_id' in entry);

/** In the entries of shops, replaces lists of differences or warnings that an earlier shop has as well. */
function referToShops(facts: Facts): Facts {
  return mapValues(facts, (value) => {
    if (!isShopEntries(value)) return value;
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

/** Cuts lists and texts. Entries of shops stay one per shop, unless they are inside of something else. */
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
  { job_id, listing_pk, shops, status }: Facts,
  { route, effect }: Pick<Operation, 'route' | 'effect'>,
): string {
  const what = 'This answer was too long, so lists and texts in it were cut.';
  if (status === 'valid' && Array.isArray(shops))
    return `${what} The same dry run with shops set to one shop shows that shop whole.`;
  const path =
    effect === 'read'
      ? route.path
      : typeof job_id === 'string'
        ? '/listings/create/{job_id}'
        : '/listings/{listing_pk}';
  const whole = path.replaceAll('{job_id}', String(job_id)).replaceAll('{listing_pk}', String(listing_pk));
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
