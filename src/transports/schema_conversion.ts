import type { z } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** JSON Schema as published; valid 2020-12, without references. */
export type JsonSchema = { [keyword: string]: unknown };

/** JSON Schema of an object. */
export type ObjectSchema = JsonSchema & {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
};

const converted = new Map<string, { schema: z.ZodTypeAny; text: string }>();

/**
 * The only conversion from zod. Unknown keys stay allowed, as the interface promises. The schema must come
 * from zod's v3 API: from any other, the library silently makes an empty schema. The build replaces this
 * module with its results, so that the built service converts nothing; when run from source, each schema is
 * converted once.
 *
 * @param name unique to this schema; the result belongs to the caller
 */
export function convert(name: string, schema: z.ZodTypeAny): ObjectSchema {
  const known = converted.get(name);
  if (known?.schema === schema) return JSON.parse(known.text) as ObjectSchema;
  const { $schema: _dialect, ...rest } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    removeAdditionalStrategy: 'strict',
  }) as JsonSchema;
  if (rest['type'] !== 'object' || typeof rest['properties'] !== 'object') {
    throw new TypeError(`${name}: the schema must be an object at its root.`);
  }
  converted.set(name, { schema, text: JSON.stringify(rest) });
  return rest as ObjectSchema;
}

/** The text of each converted schema by its name, for the build. */
export function listConverted(): ReadonlyMap<string, string> {
  return new Map([...converted].map(([name, { text }]) => [name, text]));
}
