import { z } from 'zod/v3';
import type { Issue } from './errors.js';

/**
 * Parses what a caller sent. Assistants send objects and arrays as JSON strings: where the schema wants one and the string
 * parses to one, it is taken as such.
 */
export function parseInput<Schema extends z.ZodTypeAny>(
  schema: Schema,
  raw: unknown,
): { ok: true; input: z.output<Schema> } | { ok: false; revived: unknown; issues: Issue[] } {
  const too_long: Issue[] = [];
  const revived = reviveJsonStrings(schema, raw ?? {}, [], too_long);
  const parsed = schema.safeParse(revived);
  if (parsed.success && too_long.length === 0) return { ok: true, input: parsed.data as z.output<Schema> };
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => toIssue(issue, schema, revived));
  return { ok: false, revived, issues: [...too_long, ...issues] };
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
      return `must ${issue.type === 'string' ? `have at least ${issue.minimum} characters` : issue.type === 'array' ? `have at least ${issue.minimum} items` : `be at least ${issue.minimum}`}`;
    case 'too_big':
      return `must ${issue.type === 'string' ? `have at most ${issue.maximum} characters` : issue.type === 'array' ? `have at most ${issue.maximum} items` : `be at most ${issue.maximum}`}`;
    default:
      return issue.message;
  }
}

function describeType(issue: z.ZodInvalidTypeIssue, schema: z.ZodTypeAny, raw: unknown): string {
  if (issue.received === 'undefined') return 'is required';
  // Of an enum, zod names the options as a type: 'a' | 'b'.
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
    return `must be ${what}; the string that was sent is none in JSON`;
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
  const inner = wanted && unwrap(wanted);
  if (!(inner instanceof z.ZodObject)) return [];
  const shape = inner.shape as Record<string, z.ZodTypeAny>;
  return Object.keys(shape).filter((key) => !shape[key]?.isOptional());
}

/** A body can hold 300,000 empty objects, and looking at each of them would take many seconds. */
const MAX_ITEMS = 10_000;

function reviveJsonStrings(schema: z.ZodTypeAny, value: unknown, at: Path, too_long: Issue[]): unknown {
  const wanted = unwrap(schema);
  const isObjectWanted = wanted instanceof z.ZodObject || wanted instanceof z.ZodRecord;
  const isArrayWanted = wanted instanceof z.ZodArray;
  if (!isObjectWanted && !isArrayWanted) return value;
  const revived = typeof value === 'string' ? parseAs(value, isArrayWanted) : value;
  const refuse = (count: number) => {
    const message = `has ${count} entries, more than anything here may have`;
    too_long.push({ path: formatPath(at), message, at });
  };
  if (isArrayWanted) {
    if (!Array.isArray(revived)) return revived;
    if (revived.length > MAX_ITEMS) {
      refuse(revived.length);
      return [];
    }
    return revived.map((item, index) => reviveJsonStrings(wanted.element, item, [...at, index], too_long));
  }
  if (revived === null || typeof revived !== 'object' || Array.isArray(revived)) return revived;
  const keys = Object.keys(revived);
  if (wanted instanceof z.ZodRecord && keys.length > MAX_ITEMS) {
    refuse(keys.length);
    return {};
  }
  // What came is left as it is: it is copied where something in it is taken for another thing, which seldom happens.
  let changed: Record<string, unknown> | undefined;
  for (const key of keys) {
    const field = findField(wanted, key);
    const item: unknown = revived[key as keyof typeof revived];
    const taken = field ? reviveJsonStrings(field, item, [...at, key], too_long) : item;
    if (taken !== item) (changed ??= { ...revived })[key] = taken;
  }
  return changed ?? revived;
}

function findField(wanted: z.ZodTypeAny, key: string): z.ZodTypeAny | undefined {
  if (wanted instanceof z.ZodRecord) return wanted.valueSchema as z.ZodTypeAny;
  if (!(wanted instanceof z.ZodObject)) return undefined;
  const shape = wanted.shape as Record<string, z.ZodTypeAny>;
  return Object.hasOwn(shape, key) ? shape[key] : undefined;
}

/** The parsed value when it is of the wanted kind, else the string as it came. */
function parseAs(text: string, isArrayWanted: boolean): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    const isFitting =
      parsed !== null && typeof parsed === 'object' && Array.isArray(parsed) === isArrayWanted;
    return isFitting && isHarmless(parsed, 0) ? parsed : text;
  } catch {
    return text;
  }
}

const MAX_DEPTH = 32;

/** What the faces ask of a whole body: JSON inside a string came past them unread. */
function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !/\0|\p{Surrogate}/u.test(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth >= MAX_DEPTH) return false;
  return Object.entries(value).every(
    ([key, item]) => key !== '__proto__' && isHarmless(key, depth) && isHarmless(item, depth + 1),
  );
}

function unwrap(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap() as z.ZodTypeAny);
  if (schema instanceof z.ZodDefault) return unwrap(schema.removeDefault() as z.ZodTypeAny);
  if (schema instanceof z.ZodEffects) return unwrap(schema.innerType() as z.ZodTypeAny);
  return schema;
}
