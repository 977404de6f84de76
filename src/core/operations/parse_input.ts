import { z } from 'zod/v3';
import { ServiceError } from '../errors.js';
import type { ValueProblem } from '../../../schemas/issue.js';
import type { FoundIssue } from '../issues/issues.js';
import { parseJsonText } from './json_text.js';
import { findField, listFields, unwrap } from './schema_parts.js';
import { normalize } from '../text/normalize.js';

/** `revived`: the input as sent, with its unknown keys, and with all other values as they were parsed. */
type ParsedInput<Input> =
  { ok: true; revived: unknown; input: Input } | { ok: false; revived: unknown; issues: FoundIssue[] };

/**
 * Parses a caller's input. Assistants send objects and arrays as JSON strings: if the schema expects one and the string
 * parses to one, it is accepted. They also fill in every field and send null for those they have no value for: if a field is
 * optional and has no null of its own, null counts as left out. An integer that a JSON number does not hold exactly is
 * refused, since it may differ from the one that was meant, and no row of the store takes it.
 * Text and keys are composed (NFC), so that code behind this point need not compare two forms of one text.
 */
export function parseInput<Schema extends z.ZodTypeAny>(
  schema: Schema,
  raw: unknown,
): ParsedInput<z.output<Schema>> {
  const refused: Refused = { too_long: [], inexact: [] };
  const revived = revive(schema, raw ?? {}, [], refused);
  const { too_long, inexact } = refused;
  const parsed = schema.safeParse(revived);
  if (parsed.success && too_long.length === 0 && inexact.length === 0) {
    return { ok: true, revived, input: parsed.data as z.output<Schema> };
  }
  // A list that is too long has been emptied, so anything it seems to lack is not a problem of its own.
  const cut = too_long.map(({ at }) => at);
  const issues = (parsed.error?.issues ?? [])
    .map((issue) => toIssue(issue, schema, revived))
    .filter(({ at }) => !cut.some((one) => one === '' || at.startsWith(`${one}.`)));
  const places = new Set(issues.map(({ at }) => at));
  return {
    ok: false,
    revived,
    issues: [...too_long, ...issues, ...inexact.filter(({ at }) => !places.has(at))],
  };
}

/** Writes a path as a caller would: `shops[0].shop_id`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}

function toIssue(issue: z.ZodIssue, schema: z.ZodTypeAny, raw: unknown): FoundIssue {
  const given = getAt(raw, issue.path);
  return { ...toProblem(issue, schema, raw), at: formatPath(issue.path), parts: issue.path, given };
}

function toProblem(issue: z.ZodIssue, schema: z.ZodTypeAny, raw: unknown): ValueProblem {
  switch (issue.code) {
    case 'invalid_type':
      return toTypeProblem(issue, schema, raw);
    case 'invalid_enum_value':
      return { code: 'choice_wrong', params: { choices: issue.options.map(String) } };
    case 'invalid_literal':
      return { code: 'literal_wrong', params: { expected: JSON.stringify(issue.expected) } };
    case 'unrecognized_keys':
      return { code: 'keys_unknown', params: { keys: issue.keys } };
    case 'too_small':
      return toSizeProblem(issue.type, 'at least', Number(issue.minimum));
    case 'too_big':
      return toSizeProblem(issue.type, 'at most', Number(issue.maximum));
    default:
      return { code: 'value_wrong', params: { text: issue.message } };
  }
}

function toSizeProblem(
  type: z.ZodTooSmallIssue['type'],
  bound: 'at least' | 'at most',
  limit: number,
): ValueProblem {
  const of = type === 'string' ? 'text' : type === 'array' ? 'list' : 'number';
  return { code: 'size_wrong', params: { of, bound, limit } };
}

function toTypeProblem(
  { expected, received, path }: z.ZodInvalidTypeIssue,
  schema: z.ZodTypeAny,
  raw: unknown,
): ValueProblem {
  if (received === 'undefined') return { code: 'required', params: {} };
  const wanted = findWanted(schema, path);
  if (wanted instanceof z.ZodEnum) {
    return { code: 'choice_wrong', params: { choices: (wanted as z.ZodEnum<[string]>).options } };
  }
  if (received === 'nan') return { code: 'type_wrong', params: { expected } };
  if (received === 'string' && ['number', 'integer', 'boolean'].includes(expected)) {
    const isQuoted = isLiteral(getAt(raw, path), expected);
    return { code: 'type_wrong', params: { expected, received, is_quoted: isQuoted } };
  }
  if (received === 'string' && ['object', 'array'].includes(expected)) {
    const isBrokenJson = /^\s*[[{]/.test(String(getAt(raw, path)));
    const keys = listRequiredKeys(wanted);
    return { code: 'type_wrong', params: { expected, received, keys, is_broken_json: isBrokenJson } };
  }
  return { code: 'type_wrong', params: { expected, received } };
}

type Path = readonly (string | number)[];

/** Whether the text would be valid without its quotation marks: not so for `ClayAndOak` or `$24`. */
function isLiteral(text: unknown, expected: string): boolean {
  const literal = expected === 'boolean' ? /^(?:true|false)$/i : /^-?\d+(?:\.\d+)?$/;
  return typeof text === 'string' && literal.test(text.trim());
}

function getAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, part) => (at as Record<string | number, unknown> | undefined)?.[part],
    raw,
  );
}

/** The schema of the value at this path, unwrapped. */
function findWanted(schema: z.ZodTypeAny, path: Path): z.ZodTypeAny | undefined {
  return path.reduce<z.ZodTypeAny | undefined>((at, part) => {
    const inner = at instanceof z.ZodArray ? (at.element as z.ZodTypeAny) : at && findField(at, String(part));
    return inner && unwrap(inner);
  }, unwrap(schema));
}

function listRequiredKeys(wanted: z.ZodTypeAny | undefined): string[] {
  const fields = (wanted && listFields(wanted)) ?? {};
  return Object.keys(fields).filter((key) => !fields[key]?.isOptional());
}

/** A body can hold 300,000 empty objects, and checking each of them would take many seconds. */
const MAX_ITEMS = 10_000;
/** The most keys of an object with fields; no schema has more than a few dozen. */
const MAX_KEYS = 1_000;

/**
 * UTF-16 units of a text, also under unknown keys; fields that take more say so in their schema. The rules of a field count
 * characters, and refuse most texts much earlier.
 */
const MAX_TEXT = 250_000;

/** Problems that the schema itself does not find: values that are too long, and integers that are not exact. */
type Refused = { too_long: FoundIssue[]; inexact: FoundIssue[] };

function revive(schema: z.ZodTypeAny, value: unknown, at: Path, refused: Refused): unknown {
  const wanted = unwrap(schema);
  if (
    wanted instanceof z.ZodNumber &&
    wanted.isInt &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value)
  ) {
    const params = { value: String(value) };
    const place = { at: formatPath(at), parts: at, given: value };
    refused.inexact.push({ code: 'integer_inexact', params, ...place });
  }
  const refuse = (problem: ValueProblem, parts = at) => {
    refused.too_long.push({ ...problem, at: formatPath(parts), parts });
  };
  if (wanted instanceof z.ZodString) {
    const most = wanted.maxLength ?? MAX_TEXT;
    if (!isTooLong(value, most)) return typeof value === 'string' ? compose(value, at.at(-1)) : value;
    refuse(toTooLong(value, most));
    return '';
  }
  const fields = listFields(wanted);
  const isRecordWanted = wanted instanceof z.ZodRecord;
  const isArrayWanted = wanted instanceof z.ZodArray;
  if (!fields && !isRecordWanted && !isArrayWanted) return value;
  const revived = typeof value === 'string' ? parseAs(value, isArrayWanted) : value;
  if (isArrayWanted) {
    if (!Array.isArray(revived)) return revived;
    if (revived.length > MAX_ITEMS) {
      refuse({ code: 'entries_too_many', params: { count: revived.length } });
      return [];
    }
    return revived.map((item, index) => revive(wanted.element, item, [...at, index], refused));
  }
  if (revived === null || typeof revived !== 'object' || Array.isArray(revived)) return revived;
  const keys = Object.keys(revived);
  if (keys.length > (fields ? MAX_KEYS : MAX_ITEMS)) {
    refuse(
      fields
        ? { code: 'keys_too_many', params: { count: keys.length, most: MAX_KEYS } }
        : { code: 'entries_too_many', params: { count: keys.length } },
    );
    return {};
  }
  // Does not change the input: copies it only where a value in it is converted, which seldom happens.
  let changed: Record<string, unknown> | undefined;
  for (const key of keys) {
    const field = findField(wanted, key);
    const item: unknown = revived[key as keyof typeof revived];
    if (!field) {
      // An unknown key may be the name of an option, and its text one of the option's values.
      const path = [...at, key];
      const isLong = isTooLong(item, MAX_TEXT);
      if (isLong) refuse(toTooLong(item, MAX_TEXT), path);
      const taken = isLong ? '' : typeof item === 'string' ? compose(item, key) : item;
      const name = compose(key);
      if (taken === item && name === key) continue;
      changed ??= { ...revived };
      if (name !== key) delete changed[key];
      if (name === key || !Object.hasOwn(changed, name)) changed[name] = taken;
      continue;
    }
    if (item === null && isLeftOut(field, isRecordWanted)) {
      delete (changed ??= { ...revived })[key];
      continue;
    }
    const taken = revive(field, item, [...at, key], refused);
    const name = compose(key);
    if (taken === item && name === key) continue;
    changed ??= { ...revived };
    if (name !== key) delete changed[key];
    changed[name] = taken;
  }
  return changed ?? revived;
}

/** URLs, paths and files, which must match exactly, and SKUs, which are the seller's own codes. */
const TO_THE_LETTER: ReadonlySet<string | number | undefined> = new Set([
  'url',
  'path',
  'file',
  'sku',
  'sku_new',
]);

/** Text in the one form in which all texts are compared: an accent and its letter are one character (NFC). */
function compose(text: string, key?: string | number): string {
  return TO_THE_LETTER.has(key) ? text : normalize(text);
}

function isTooLong(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length > most;
}

function toTooLong(text: string, most: number): ValueProblem {
  return { code: 'text_too_long', params: { chars: text.length, most } };
}

/** Whether a null counts as left out there. Every key of a record is optional. */
function isLeftOut(field: z.ZodTypeAny, isRecordWanted: boolean): boolean {
  return (isRecordWanted || field.isOptional()) && !field.isNullable();
}

/**
 * The parsed value if it is of the expected kind, otherwise the string unchanged. The transports do not check JSON inside a
 * string.
 */
function parseAs(text: string, isArrayWanted: boolean): unknown {
  try {
    const parsed = parseJsonText(text);
    return typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === isArrayWanted
      ? parsed
      : text;
  } catch (cause) {
    if (cause instanceof ServiceError) return text;
    throw cause;
  }
}
