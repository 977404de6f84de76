import { z } from 'zod/v3';
import { cleanForeign } from '../../text/foreign.js';
import { findField, listFields, unwrap } from '../schema_parts.js';

/** Keys that an input has in addition to those of its schema, by the place of their object: `variations.offerings[]`. */
export type FreeKeys = Readonly<Record<string, ReadonlySet<string>>>;

/** An unknown key, in all the objects of one kind that have it. */
export type FoundKey = {
  key: string;
  /** The place of its objects, with `[]` for every item and `*` for every key of a record; empty at the top. */
  place: string;
  /** Paths of the key, as a caller would write them; only the first ones if there are many. */
  paths: string[];
  count: number;
  /** The keys that the API knows in such an object. */
  known: readonly string[];
  /** Its value is null everywhere: a null counts as left out. */
  is_null: boolean;
};

/** Further distinct keys are counted but not examined. */
const MAX_KEYS = 200;
const MAX_PATHS = 50;
/** Per key in a path; a caller's key may be as long as the body. */
const MAX_CHARS = 100;

/**
 * The unknown keys of an input, each once even if many items of a list have it. Does not search the value under an unknown
 * key. `left_out`: the number of further ones.
 */
export function findUnknownKeys(
  schema: z.ZodTypeAny,
  input: unknown,
  free: FreeKeys = {},
): { found: FoundKey[]; left_out: number } {
  const found = new Map<string, FoundKey>();
  let left_out = 0;

  const add = (key: string, item: unknown, place: string, path: string, listKnown: () => string[]) => {
    const name = join(place, key);
    const before = found.get(name);
    if (!before && found.size === MAX_KEYS) {
      left_out += 1;
      return;
    }
    const one = before ?? { key, place, paths: [], count: 0, known: listKnown(), is_null: true };
    if (!before) found.set(name, one);
    one.count += 1;
    one.is_null &&= item === null;
    if (one.paths.length < MAX_PATHS) one.paths.push(join(path, cleanForeign(key, MAX_CHARS)));
  };

  const walk = (wanted: z.ZodTypeAny, value: unknown, place: string, path: string): void => {
    const inner = unwrap(wanted);
    if (value === null || typeof value !== 'object') return;
    if (inner instanceof z.ZodArray) {
      if (!Array.isArray(value)) return;
      value.forEach((item, index) =>
        walk(inner.element as z.ZodTypeAny, item, `${place}[]`, `${path}[${index}]`),
      );
      return;
    }
    const fields = listFields(inner);
    if (Array.isArray(value) || (!fields && !(inner instanceof z.ZodRecord))) return;
    const own = free[place];
    const listKnown = () => [...Object.keys(fields ?? {}), ...(own ?? [])];
    for (const [key, item] of Object.entries(value)) {
      const field = findField(inner, key);
      if (field) walk(field, item, join(place, fields ? key : '*'), join(path, key));
      else if (!own?.has(key)) add(key, item, place, path, listKnown);
    }
  };

  walk(schema, input, '', '');
  return { found: [...found.values()], left_out };
}

/** Every key that the API knows, by its place, those of the top first and each with its objects' keys. */
export function listKnownKeys(schema: z.ZodTypeAny): { key: string; place: string }[] {
  const inner = unwrap(schema);
  const under = (wanted: z.ZodTypeAny, place: string): { key: string; place: string }[] =>
    listKnownKeys(wanted).map((known) => ({ key: known.key, place: joinPlaces(place, known.place) }));
  if (inner instanceof z.ZodArray) return under(inner.element as z.ZodTypeAny, '[]');
  if (inner instanceof z.ZodRecord) return under(inner.valueSchema as z.ZodTypeAny, '*');
  const fields = Object.entries(listFields(inner) ?? {});
  return [
    ...fields.map(([key]) => ({ key, place: '' })),
    ...fields.flatMap(([key, field]) => under(field, key)),
  ];
}

export function join(place: string, key: string): string {
  return place ? `${place}.${key}` : key;
}

function joinPlaces(outer: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}
