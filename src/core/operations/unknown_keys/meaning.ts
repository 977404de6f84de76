import type { KeyMeaning } from '../../../../schemas/issues/facts.js';
import { cleanForeign } from '../../text/foreign.js';
import { ALIASES, ALIASES_IN_PLACE, WITHOUT_FIELD } from './aliases.js';
import { join } from './find.js';
import {
  addsWords,
  countSharedWords,
  hasSameWords,
  isOneTypoAway,
  toPlain,
  toSnakeCase,
} from './near_miss.js';

/** A key that the API knows, and the place of its object; `operation_id` if only another operation takes it. */
export type KnownKey = { key: string; place: string; operation_id?: string };

/**
 * The field that an unknown key was probably meant to be. `alias`: another name of a field. `elsewhere`: a field, or another
 * name of one, that belongs in another place. `near_miss`: a typo. `fields`: paths with `[]` for every item and `*` for every
 * key of a record; empty if nothing is known.
 */
export type Meaning = {
  kind: 'alias' | 'elsewhere' | 'near_miss' | 'without_field' | 'nothing';
  fields: readonly string[];
  meaning: KeyMeaning;
};

/** Whether a key may be a typo for another. */
type IsNearMiss = (key: string, candidate: string) => boolean;

type Asked = { key: string; place: string; known: readonly string[] };

/** @param everywhere all keys of the API; candidates of the same object are in `known` */
export function findMeaning(
  { key, place, known }: Asked,
  everywhere: readonly KnownKey[],
  count: () => void,
): Meaning {
  const plain = toPlain(key);
  const name = toSnakeCase(plain);
  const because = lookUp(WITHOUT_FIELD, name);
  if (because !== undefined && !everywhere.some((one) => one.key === name)) {
    return { kind: 'without_field', fields: [], meaning: { is: 'needless', because } };
  }
  const aliases = [...(lookUp(ALIASES_IN_PLACE, name) ?? []), ...(lookUp(ALIASES, name) ?? [])];
  const own = aliases.find((alias) => known.includes(alias));
  if (own !== undefined) {
    return { kind: 'alias', fields: [join(place, own)], meaning: { is: 'alias', name: own } };
  }
  const wanted = new Set([key, name, ...(lookUp(ALIASES, name) ?? [])]);
  const elsewhere = everywhere.filter((one) => one.place !== place || one.operation_id !== undefined);
  const hasPath = [...wanted].some((one) => one.includes('.'));
  const others = preferShared(
    elsewhere.filter((one) => wanted.has(one.key) || (hasPath && wanted.has(toPath(one)))),
    place,
  );
  if (others.length > 0) return describePlaces(others, place);
  const compare = (isLike: IsNearMiss) => (candidate: string) => {
    count();
    return isLike(plain, candidate);
  };
  const near =
    known.find(compare(isOneTypoAway)) ?? findMostAlike(plain, known.filter(compare(hasSameWords)));
  if (near !== undefined) {
    return {
      kind: 'near_miss',
      fields: [join(place, near)],
      meaning: { is: 'like', names: [near], has_unseen: hasUnseen(key, near) },
    };
  }
  const isNear = compare((name, candidate) => isOneTypoAway(name, candidate) || addsWords(name, candidate));
  const far = preferShared(
    elsewhere.filter((one) => isNear(one.key)),
    place,
  );
  const [first] = far;
  if (!first) return { kind: 'nothing', fields: [], meaning: { is: 'unknown' } };
  const paths = far.map(toPath);
  const { operation_id } = first;
  const of = operation_id === undefined ? {} : { operation_id };
  return { kind: 'near_miss', fields: paths, meaning: { is: 'like', names: paths, ...of } };
}

/** `overrides` of a shop repeat the fields that the shops share. Only a key in `shops` is meant for one shop. */
function preferShared(candidates: readonly KnownKey[], place: string): readonly KnownKey[] {
  const isOfOneShop = place.includes('shops[]');
  const preferred = candidates.filter((one) => one.place.includes('overrides') === isOfOneShop);
  return preferred.length > 0 ? preferred : candidates;
}

/** Whether the key has a trailing space or a zero-width character, which no message can show. */
function hasUnseen(key: string, candidate: string): boolean {
  return cleanForeign(key) === candidate;
}

/** The first candidate that shares the most words with the key: `listing_dry_run` matches `dry_run`, not `listing`. */
function findMostAlike(key: string, candidates: readonly string[]): string | undefined {
  const shared = candidates.map((candidate) => countSharedWords(key, candidate));
  return candidates[shared.indexOf(Math.max(...shared))];
}

function describePlaces(others: readonly KnownKey[], place: string): Meaning {
  const nearest = [...others].sort((a, b) => getDepth(a) - getDepth(b));
  const [first] = nearest;
  if (first?.operation_id !== undefined) {
    const { operation_id } = first;
    const name = toPath(first);
    return { kind: 'elsewhere', fields: [name], meaning: { is: 'of_operation', operation_id, name } };
  }
  if (first?.place === '') {
    const sibling = /^\w+/.exec(place)?.[0] ?? '';
    return {
      kind: 'elsewhere',
      fields: [first.key],
      meaning: { is: 'alongside', sibling, name: first.key },
    };
  }
  const fields = nearest.map(toPath);
  return { kind: 'elsewhere', fields, meaning: { is: 'inside', paths: fields } };
}

function toPath({ key, place }: KnownKey): string {
  return join(place, key);
}

/** Lists count as a level of their own: `listing.price` is a likelier meaning than `shops[].price`. */
function getDepth({ place }: KnownKey): number {
  return place === '' ? 0 : place.split(/[.[]/).length;
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
