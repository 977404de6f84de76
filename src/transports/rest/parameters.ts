import { buildValidationError } from '../../core/issues/issues.js';
import type { ObjectSchema } from '../schema_conversion.js';
import { isCleanText } from '../../core/operations/json_text.js';

/**
 * Converts parameters of a path or query, which are all text, to the types in the schema. Text that is not a
 * number becomes NaN, so that the schema refuses it by its name. Throws VALIDATION_FAILED if a parameter is
 * given twice.
 */
export function readParameters(
  schema: ObjectSchema,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, toTyped(name, value, listTypes(schema, name))]),
  );
}

function toTyped(name: string, value: unknown, types: readonly unknown[]): unknown {
  if (types.includes('array')) return [value].flat().map((item) => toClean(name, item));
  if (Array.isArray(value)) {
    throw buildValidationError([{ code: 'given_twice', at: name, params: {} }]);
  }
  const text = toClean(name, value);
  if (types.includes('integer') || types.includes('number')) {
    return /^[+-]?\d{1,20}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN;
  }
  if (types.includes('boolean')) return BOOLEANS.get(text.toLowerCase()) ?? text;
  return text;
}

const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function listTypes(schema: ObjectSchema, name: string): unknown[] {
  return Object.hasOwn(schema.properties, name) ? [schema.properties[name]?.['type']].flat() : [];
}

function toClean(name: string, value: unknown): string {
  const text = String(value);
  if (isCleanText(text)) return text;
  throw buildValidationError([{ code: 'has_unstorable', at: name, params: {} }]);
}
