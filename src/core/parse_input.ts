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
  const revived = reviveJsonStrings(schema, raw ?? {});
  const parsed = schema.safeParse(revived);
  if (parsed.success) return { ok: true, input: parsed.data as z.output<Schema> };
  return { ok: false, revived, issues: parsed.error.issues.map(toIssue) };
}

/** Writes a path as a caller would: `shops[0].shop_id`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    '',
  );
}

function toIssue(issue: z.ZodIssue): Issue {
  return { path: formatPath(issue.path), message: describe(issue) };
}

function describe(issue: z.ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
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

function describeType(issue: z.ZodInvalidTypeIssue): string {
  if (issue.received === 'undefined') return 'is required';
  if (issue.received === 'nan') return `must be a finite ${issue.expected}`;
  if (issue.received === 'string' && (issue.expected === 'number' || issue.expected === 'integer')) {
    return `must be ${article(issue.expected)} without quotation marks, not a string`;
  }
  return `must be ${article(issue.expected)}, not ${issue.received}`;
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function reviveJsonStrings(schema: z.ZodTypeAny, value: unknown): unknown {
  const wanted = unwrap(schema);
  const isObjectWanted = wanted instanceof z.ZodObject || wanted instanceof z.ZodRecord;
  const isArrayWanted = wanted instanceof z.ZodArray;
  if (!isObjectWanted && !isArrayWanted) return value;
  const revived = typeof value === 'string' ? parseAs(value, isArrayWanted) : value;
  if (isArrayWanted) {
    return Array.isArray(revived) ? revived.map((item) => reviveJsonStrings(wanted.element, item)) : revived;
  }
  if (revived === null || typeof revived !== 'object' || Array.isArray(revived)) return revived;
  const entries = Object.entries(revived).map(([key, item]) => {
    const field =
      wanted instanceof z.ZodRecord
        ? (wanted.valueSchema as z.ZodTypeAny)
        : Object.hasOwn(wanted.shape, key)
          ? (wanted.shape[key] as z.ZodTypeAny)
          : undefined;
    return [key, field ? reviveJsonStrings(field, item) : item];
  });
  return Object.fromEntries(entries);
}

/** The parsed value when it is of the wanted kind, else the string as it came. */
function parseAs(text: string, isArrayWanted: boolean): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    const isFitting =
      parsed !== null && typeof parsed === 'object' && Array.isArray(parsed) === isArrayWanted;
    return isFitting ? parsed : text;
  } catch {
    return text;
  }
}

function unwrap(schema: z.ZodTypeAny): z.ZodTypeAny {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap() as z.ZodTypeAny);
  if (schema instanceof z.ZodDefault) return unwrap(schema.removeDefault() as z.ZodTypeAny);
  if (schema instanceof z.ZodEffects) return unwrap(schema.innerType() as z.ZodTypeAny);
  return schema;
}
