import { z } from 'zod/v3';
import { formatCount } from '../text/format_count.js';
import { ServiceError, type Issue } from '../errors.js';
import { parseJsonText } from './json_text.js';
import { findField, listFields, unwrap } from './schema_parts.js';

/** `revived`: what was sent, with its unknown keys, and with all else as it was taken. */
type ParsedInput<Input> =
  { ok: true; revived: unknown; input: Input } | { ok: false; revived: unknown; issues: Issue[] };

/**
 * Parses what a caller sent. Assistants send objects and arrays as JSON strings: where the schema wants one and the string
 * parses to one, it is taken as such. They fill in every field, those that they have nothing for with null: where a field is
 * optional and knows no null of its own, it counts as left out. An integer that a JSON number does not hold exactly is refused:
 * it may stand for another one than was meant, and no row of the store takes it.
 * Text and keys are composed (NFC), so that nothing behind this point has to compare two forms of one text.
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
  // A list that is too long has been emptied, so what it would lack is no problem of its own.
  const cut = too_long.map(({ path }) => path);
  const issues = (parsed.error?.issues ?? [])
    .map((issue) => toIssue(issue, schema, revived))
    .filter(({ path }) => !cut.some((one) => one === '' || path.startsWith(`${one}.`)));
  const told = new Set(issues.map(({ path }) => path));
  return {
    ok: false,
    revived,
    issues: [...too_long, ...issues, ...inexact.filter(({ path }) => !told.has(path))],
  };
}

/** Writes a path as a caller would: `shops[0].shop_id`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}

function toIssue(issue: z.ZodIssue, schema: z.ZodTypeAny, raw: unknown): Issue {
  const given = getAt(raw, issue.path);
  return { path: formatPath(issue.path), message: describe(issue, schema, raw), at: issue.path, given };
}

function describe(issue: z.ZodIssue, schema: z.ZodTypeAny, raw: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue, schema, raw);
    case 'invalid_enum_value':
      return `must be one of ${issue.options.join(', ')}`;
    case 'invalid_literal':
      return `must be ${JSON.stringify(issue.expected)}`;
    case 'unrecognized_keys':
      return `has unknown keys: ${issue.keys.join(', ')}`;
    case 'too_small':
      return `must ${describeBound(issue.type, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${describeBound(issue.type, 'at most', Number(issue.maximum))}`;
    default:
      return issue.message;
  }
}

function describeBound(type: z.ZodTooSmallIssue['type'], bound: string, limit: number): string {
  if (type === 'string') return `have ${bound} ${formatCount(limit, 'character')}`;
  return type === 'array' ? `have ${bound} ${formatCount(limit, 'item')}` : `be ${bound} ${limit}`;
}

function describeType(issue: z.ZodInvalidTypeIssue, schema: z.ZodTypeAny, raw: unknown): string {
  if (issue.received === 'undefined') return 'is required';
  // For an enum, zod names the options as a type: 'a' | 'b'.
  if (issue.expected.startsWith("'")) {
    return `must be one of ${issue.expected.replaceAll("'", '').replaceAll(' | ', ', ')}`;
  }
  if (issue.received === 'nan') return `must be ${article(issue.expected)}`;
  if (issue.received === 'string' && ['number', 'integer', 'boolean'].includes(issue.expected)) {
    return `must be ${article(issue.expected)}${isLiteral(getAt(raw, issue.path), issue.expected) ? ' without quotation marks' : ''}, not a string`;
  }
  if (issue.received === 'string' && ['object', 'array'].includes(issue.expected)) {
    const keys = listRequiredKeys(schema, issue.path);
    const what = `${article(issue.expected)}${keys.length > 0 ? ` with ${keys.join(', ')}` : ''}`;
    const looksLikeJson = /^\s*[[{]/.test(String(getAt(raw, issue.path)));
    return `must be ${what}, not a string${looksLikeJson ? `; the JSON in it is not ${article(issue.expected)}, or broken` : ''}`;
  }
  return `must be ${article(issue.expected)}, not ${issue.received}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

type Path = readonly (string | number)[];

/** Whether it would be right without its quotation marks: not so `ClayAndOak`, nor `$24`. */
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

function listRequiredKeys(schema: z.ZodTypeAny, path: Path): string[] {
  const wanted = path.reduce<z.ZodTypeAny | undefined>((at, part) => {
    const inner = at && unwrap(at);
    if (inner instanceof z.ZodArray) return inner.element as z.ZodTypeAny;
    return inner && findField(inner, String(part));
  }, schema);
  const fields = (wanted && listFields(unwrap(wanted))) ?? {};
  return Object.keys(fields).filter((key) => !fields[key]?.isOptional());
}

/** A body can hold 300,000 empty objects, and looking at each of them would take many seconds. */
const MAX_ITEMS = 10_000;
/** Keys of an object with fields at most; no schema has more than some dozens. */
const MAX_KEYS = 1_000;

/**
 * UTF-16 units of a text, in keys that are not known too; fields that take more say so in their schema. The rules of a field count
 * characters, and refuse most texts much earlier.
 */
const MAX_TEXT = 250_000;

/** Problems that the schema itself does not find: values that are too long, and integers that are not exact. */
type Refused = { too_long: Issue[]; inexact: Issue[] };

function revive(schema: z.ZodTypeAny, value: unknown, at: Path, refused: Refused): unknown {
  const wanted = unwrap(schema);
  if (
    wanted instanceof z.ZodNumber &&
    wanted.isInt &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value)
  ) {
    const message = `is ${String(value)}, which no id or count can be`;
    refused.inexact.push({ path: formatPath(at), message, at, given: value });
  }
  const refuse = (message: string) => {
    const path = formatPath(at);
    refused.too_long.push({ path, message: path ? message : `The request ${message}`, at });
  };
  if (wanted instanceof z.ZodString) {
    const most = wanted.maxLength ?? MAX_TEXT;
    if (!isTooLong(value, most)) return typeof value === 'string' ? compose(value, at.at(-1)) : value;
    refuse(describeTooLong(value, most));
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
      refuse(`has ${revived.length} entries, more than anything here may have`);
      return [];
    }
    return revived.map((item, index) => revive(wanted.element, item, [...at, index], refused));
  }
  if (revived === null || typeof revived !== 'object' || Array.isArray(revived)) return revived;
  const keys = Object.keys(revived);
  if (keys.length > (fields ? MAX_KEYS : MAX_ITEMS)) {
    refuse(
      fields
        ? `has ${keys.length} keys; at most ${MAX_KEYS} are taken, those that are not known included`
        : `has ${keys.length} entries, more than anything here may have`,
    );
    return {};
  }
  // The input is not changed: it is copied only where a value in it is converted, which seldom happens.
  let changed: Record<string, unknown> | undefined;
  for (const key of keys) {
    const field = findField(wanted, key);
    const item: unknown = revived[key as keyof typeof revived];
    if (!field) {
      // A key that is not known may be the name of an option, and its text one of the option's values.
      const path = [...at, key];
      const isLong = isTooLong(item, MAX_TEXT);
      if (isLong) {
        refused.too_long.push({ path: formatPath(path), message: describeTooLong(item, MAX_TEXT), at: path });
      }
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

/** Names of places, which are opened to the letter, and SKUs, which are the seller's own codes. */
const TO_THE_LETTER: ReadonlySet<string | number | undefined> = new Set([
  'url',
  'path',
  'file',
  'sku',
  'sku_new',
]);

/** Text in the one form that all texts are compared in: an accent and its letter are one character (NFC). */
function compose(text: string, key?: string | number): string {
  return TO_THE_LETTER.has(key) ? text : text.normalize('NFC');
}

function isTooLong(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length > most;
}

function describeTooLong(text: string, most: number): string {
  return `has ${text.length} characters; no text may have more than ${most}`;
}

/** Whether a null may stand for nothing there. Every key of a record is optional. */
function isLeftOut(field: z.ZodTypeAny, isRecordWanted: boolean): boolean {
  return (isRecordWanted || field.isOptional()) && !field.isNullable();
}

/** The parsed value when it is of the wanted kind, else the string as it came. The transports do not check JSON inside a string. */
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
