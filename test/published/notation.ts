import { isJson, toJson, type Json } from './open_api.js';

/**
 * A schema in the table. A text is a scalar (`string`, `integer 1..100`, `string: a|b`) or the name of a
 * schema (`#Money`), a list with one entry is a list of that entry, an object has fields, whose names end in
 * `!` if they are required and in `?` if they may be null.
 */
export type Noted = string | [Noted] | { [field: string]: Noted };

/** The names, types, choices and bounds of a schema; its descriptions, formats and defaults are left out. */
export function noteSchema(schema: Json): Noted {
  const ref = readRef(schema);
  if (ref !== undefined) return `#${ref}`;
  if (schema['type'] === 'array') return [noteSchema(toJson(schema['items']))];
  if (isJson(schema['properties'])) return noteFields(schema['properties'], schema['required']);
  return noteScalar(schema);
}

/** @param required names of fields, or nothing */
export function noteFields(fields: Json, required: unknown): Record<string, Noted> {
  const asked: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const schema = toJson(field);
      const marks = (asked.includes(name) ? '!' : '') + (schema['nullable'] === true ? '?' : '');
      return [name + marks, noteSchema(schema)];
    }),
  );
}

export function readSchema(noted: Noted, isNullable = false): Json {
  const nullable = isNullable ? { nullable: true } : {};
  if (Array.isArray(noted)) return { type: 'array', items: readSchema(noted[0]), ...nullable };
  if (typeof noted === 'object') return { type: 'object', ...readFields(noted), ...nullable };
  if (!noted.startsWith('#')) return { ...readScalar(noted), ...nullable };
  const ref = { $ref: `#/components/schemas/${noted.slice(1)}` };
  return isNullable ? { oneOf: [ref], nullable: true } : ref;
}

export function readFields(noted: Record<string, Noted>): { properties: Json; required?: string[] } {
  const fields = Object.entries(noted).map(([marked, field]) => {
    const [, name = '', required, nullable] = /^(.*?)(!?)(\??)$/.exec(marked) ?? [];
    return { name, is_required: required === '!', schema: readSchema(field, nullable === '?') };
  });
  const required = fields.filter(({ is_required }) => is_required).map(({ name }) => name);
  return {
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** Some references are direct, others the only choice of a `oneOf`. */
function readRef({ $ref, oneOf }: Json): string | undefined {
  const [only, ...more]: unknown[] = Array.isArray(oneOf) ? oneOf : [{ $ref }];
  if (more.length > 0) throw new Error('the notation has no word for a choice of schemas');
  const ref = toJson(only)['$ref'];
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}

function noteScalar({ type, enum: choices, minimum, maximum }: Json): string {
  const bounds =
    minimum === undefined && maximum === undefined ? '' : ` ${toText(minimum)}..${toText(maximum)}`;
  return `${toText(type)}${bounds}${Array.isArray(choices) ? `: ${choices.join('|')}` : ''}`;
}

function readScalar(noted: string): Json {
  const [, type, minimum, maximum, choices] = /^(\w+)(?: (\S*?)\.\.(\S*?))?(?:: (.*))?$/.exec(noted) ?? [];
  return {
    type,
    ...(choices !== undefined && {
      enum: choices.split('|').map((choice) => (type === 'integer' ? Number(choice) : choice)),
    }),
    ...(minimum && { minimum: Number(minimum) }),
    ...(maximum && { maximum: Number(maximum) }),
  };
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
