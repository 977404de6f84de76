import type { z } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** JSON Schema as it is advertised; valid 2020-12, without references. */
export type JsonSchema = { [keyword: string]: unknown };

/** JSON Schema of an object. */
export type ObjectSchema = JsonSchema & {
  type: 'object';
  properties: Record<string, JsonSchema>;
  required?: string[];
};

const converted = new Map<string, string>();

/**
 * The only conversion from zod. Unknown keys stay allowed, as the interface says. The schema must come from zod's v3 API: of
 * any other the library makes an empty schema without a word. The build puts what this gave in the place of this module, so that
 * the built service converts nothing.
 *
 * @param name of this schema alone; the result is the caller's own
 */
export function convert(name: string, schema: z.ZodTypeAny): ObjectSchema {
  const { $schema: _dialect, ...rest } = zodToJsonSchema(schema, {
    $refStrategy: 'none',
    removeAdditionalStrategy: 'strict',
  }) as JsonSchema;
  if (rest['type'] !== 'object' || typeof rest['properties'] !== 'object') {
    throw new TypeError(`${name}: the schema must be an object at its root.`);
  }
  converted.set(name, JSON.stringify(rest));
  return rest as ObjectSchema;
}

/** The text of each schema that was converted, by its name: for the build. */
export function listConverted(): ReadonlyMap<string, string> {
  return converted;
}
