import type { JsonSchema } from '../../schema_conversion.js';

/** One row of a table of fields. */
export type Field = {
  /** As a caller would write it: `listing.tags[]`, `category_attributes.*.value_ids`. */
  path: string;
  is_required: boolean;
  type: string;
  /** Bounds as text; empty if there are none. */
  limits: string;
  description: string;
};

/** All fields of a schema, each before the fields inside it. */
export function listFields(schema: JsonSchema, prefix = ''): Field[] {
  const { value } = leaveNullAside(schema);
  const required = (value['required'] ?? []) as string[];
  const properties = Object.entries((value['properties'] ?? {}) as Record<string, JsonSchema>);
  const named = properties.flatMap(([name, child]) =>
    describe(prefix === '' ? name : `${prefix}.${name}`, child, required.includes(name)),
  );
  const others = value['additionalProperties'];
  return typeof others === 'object' && others !== null
    ? [...named, ...describe(`${prefix}.*`, others as JsonSchema, false)]
    : named;
}

function describe(path: string, schema: JsonSchema, isRequired: boolean): Field[] {
  const { value, is_nullable } = leaveNullAside(schema);
  const items = value['items'] as JsonSchema | undefined;
  const field: Field = {
    path,
    is_required: isRequired,
    type: nameType(value) + (is_nullable ? ' or null' : ''),
    limits: [...listLimits(value), ...(items ? listLimits(items).map((limit) => `each ${limit}`) : [])].join(
      '; ',
    ),
    description: [toText(schema['description'] ?? value['description']), describeDefault(schema)]
      .filter((words) => words !== '')
      .join(' '),
  };
  // A list of plain values is fully described by its own row.
  const inside = items ? listFields(items, `${path}[]`) : listFields(value, path);
  return [field, ...inside];
}

/** For a value or null, the value. */
function leaveNullAside(schema: JsonSchema): { value: JsonSchema; is_nullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const [first] = type.filter((one) => one !== 'null') as string[];
    return { value: { ...schema, type: first }, is_nullable: true };
  }
  const branches = (schema['anyOf'] ?? []) as JsonSchema[];
  const [value, ...others] = branches.filter((branch) => branch['type'] !== 'null');
  const isNullable = others.length < branches.length - 1;
  return value && others.length === 0
    ? { value, is_nullable: isNullable }
    : { value: schema, is_nullable: false };
}

function nameType(schema: JsonSchema): string {
  const values = schema['enum'] ?? (schema['const'] === undefined ? undefined : [schema['const']]);
  if (Array.isArray(values)) return values.filter((value) => value !== null).join(' | ');
  const { type } = schema;
  if (type === 'array') return `list of ${nameMany((schema['items'] ?? {}) as JsonSchema)}`;
  return typeof type === 'string' ? (TYPES[type] ?? type) : 'any';
}

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
};

function nameMany(schema: JsonSchema): string {
  const many: Record<string, string> = { string: 'texts', integer: 'whole numbers', number: 'numbers' };
  const { type } = schema;
  return schema['enum'] ? nameType(schema) : (typeof type === 'string' && many[type]) || 'objects';
}

function listLimits(schema: JsonSchema): string[] {
  const limits = [
    describeRange(schema['minLength'], schema['maxLength'], ' characters'),
    describeRange(schema['minItems'], schema['maxItems'], ''),
    describeRange(schema['minimum'], schema['maximum'], ''),
    typeof schema['exclusiveMinimum'] === 'number' ? `above ${schema['exclusiveMinimum']}` : undefined,
  ];
  return limits.filter((limit) => limit !== undefined);
}

function describeRange(min: unknown, max: unknown, unit: string): string | undefined {
  if (typeof max === 'number') {
    return typeof min === 'number' ? `${min} to ${max}${unit}` : `at most ${max}${unit}`;
  }
  // "At least one character" need not be stated.
  const isStated = typeof min === 'number' && !(unit !== '' && min === 1);
  return isStated ? `at least ${min}${unit}` : undefined;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function describeDefault(schema: JsonSchema): string {
  return schema['default'] === undefined ? '' : `Default: ${JSON.stringify(schema['default'])}.`;
}
