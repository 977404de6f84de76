import type { Fact } from '../../../schemas/issue.js';
import { fromJson, toJson, type Json } from '../json.js';

/** A fact in a column that held plain text in earlier releases. */
export type StoredFact = Json<Fact> | (string & { readonly json?: never });

/** JSON of jobs and listings. Sentences that earlier releases stored become facts with the code `stored_text`. */
export function fromJsonOfFacts<Value>(text: Json<Value>): Value {
  const value = fromJson(text);
  return isObject(value) ? (readFacts(value) as Value) : value;
}

/** For the column of a job's error message. */
export function toStoredFact(fact: Fact | null): StoredFact | null {
  return fact && toJson(fact);
}

export function fromStoredFact(text: StoredFact | null): Fact | null {
  if (text === null) return null;
  return text.startsWith(START) ? fromJson(text as Json<Fact>) : toFact(text);
}

/** No message of an earlier release begins like this. */
const START = '{"code":';

/**
 * The fields that contain facts, at any depth of progress, plans and results; other fields may have names chosen by a caller.
 */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  changed: toFact,
  error: toFact,
  reason: toReason,
  warnings: readEach,
  overwriting: readEach,
  warning: readFacts,
  failure: readFacts,
  result: readFacts,
  shops: readEach,
  images: readEach,
};

function readFacts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readFacts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, READERS[key]?.(field) ?? field]),
  );
}

/** A list, or lists by step. */
function readEach(value: unknown): unknown {
  if (Array.isArray(value) || !isObject(value)) return readFacts(value);
  return Object.fromEntries(Object.entries(value).map(([step, list]) => [step, readFacts(list)]));
}

/** Warnings were stored with a full stop, and failures without: the same sentence must become the same fact. */
function toReason(value: unknown): Fact {
  return toFact(typeof value === 'string' ? value.replace(/\.$/, '') : value);
}

function toFact(value: unknown): Fact {
  return typeof value === 'string' ? { code: 'stored_text', params: { text: value } } : (value as Fact);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object';
}
