import { describe, expect, it } from 'vitest';
import { operations } from '../../tools/index.js';
import { buildTool } from '../../src/transports/mcp/tools/tool.js';

/*
 * The rules that clients have for `tools/list`. A single schema outside of these limits costs some clients every tool:
 * VS Code refuses the whole request, OpenAI's and Gemini's APIs answer 400, others guess a type.
 */

const MAX_NESTING = 5;
const MAX_PROPERTIES = 100;
const MAX_TOOLS = 40;
/** Cursor counts the server's name together with the tool's: 60 characters in all. */
const MAX_NAME_CHARS = 60 - 'marketplace-listing-service'.length;

type Schema = Record<string, unknown>;
type Found = { path: string; schema: Schema; depth: number };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listTypes = ({ type }: Schema): unknown[] => [type].flat();

const isContainer = (schema: Schema): boolean =>
  listTypes(schema).some((type) => type === 'object' || type === 'array');

/** The schema and all its subschemas. `depth`: the number of objects and lists around it, including itself. */
function listSchemas(schema: Schema, path: string, around = 0): Found[] {
  const depth = around + (isContainer(schema) ? 1 : 0);
  const inside = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'properties' && isSchema(value)) {
      return Object.entries(value).map(([name, each]) => [`${path}.${name}`, each]);
    }
    if (keyword === 'items') return [[`${path}[]`, value]];
    if (keyword === 'additionalProperties') return [[`${path}.*`, value]];
    if (keyword === 'anyOf' && Array.isArray(value)) {
      return value.map((each, index) => [`${path}|${index}`, each]);
    }
    return [];
  });
  return [
    { path, schema, depth },
    ...inside.flatMap(([name, each]) => (isSchema(each) ? listSchemas(each, name, depth) : [])),
  ];
}

const BROKEN_ANYWHERE: Record<string, (found: Found) => boolean> = {
  'a list without items of a known type': ({ schema }) =>
    listTypes(schema).includes('array') && !(isSchema(schema['items']) && 'type' in schema['items']),
  'additionalProperties: true': ({ schema }) => schema['additionalProperties'] === true,
  'a schema that is true or false': ({ schema }) =>
    Object.values((schema['properties'] ?? {}) as Schema).some((each) => !isSchema(each)),
  'a keyword that clients do not resolve': ({ schema }) =>
    ['$ref', '$schema', '$defs', 'oneOf', 'allOf'].some((keyword) => keyword in schema),
  'too many levels': ({ depth }) => depth > MAX_NESTING,
};

const BROKEN_IN_INPUTS: Record<string, (found: Found) => boolean> = {
  ...BROKEN_ANYWHERE,
  'no single type': ({ schema }) => typeof schema['type'] !== 'string',
  'a null': ({ schema }) =>
    schema['type'] === 'null' || (Array.isArray(schema['enum']) && schema['enum'].includes(null)),
  'an exclusive bound': ({ schema }) => 'exclusiveMinimum' in schema || 'exclusiveMaximum' in schema,
  anyOf: ({ schema }) => 'anyOf' in schema,
};

function listBroken(schema: Schema, rules: typeof BROKEN_ANYWHERE): string[] {
  return listSchemas(schema, '').flatMap((found) =>
    Object.entries(rules)
      .filter(([, isBroken]) => isBroken(found))
      .map(([rule]) => `${found.path || '(root)'}: ${rule}`),
  );
}

const countProperties = (schema: Schema): number =>
  listSchemas(schema, '').reduce(
    (sum, found) => sum + Object.keys((found.schema['properties'] ?? {}) as Schema).length,
    0,
  );

describe('tools/list stays within the limits of all clients', () => {
  it('offers no more tools than the strictest client accepts', () => {
    expect(operations.length).toBeLessThanOrEqual(MAX_TOOLS);
  });

  it.each(operations.map((operation) => [operation.id, buildTool(operation)] as const))(
    'shows %s with a name and schemas that all clients accept',
    (id, tool) => {
      expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(id.length).toBeLessThanOrEqual(MAX_NAME_CHARS);
      const { inputSchema, outputSchema = { type: 'object', properties: {} } } = tool;
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
        expect(countProperties(schema)).toBeLessThanOrEqual(MAX_PROPERTIES);
      }
      expect(listBroken(inputSchema, BROKEN_IN_INPUTS)).toEqual([]);
      expect(listBroken(outputSchema, BROKEN_ANYWHERE)).toEqual([]);
    },
  );
});
