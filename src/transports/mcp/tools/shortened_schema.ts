import type { JsonSchema, ObjectSchema } from '../../schema_conversion.js';

/**
 * An outline with the fields that a shortened answer has besides the operation's own. REST answers whole, so they are in no schema that
 * the OpenAPI document has.
 * @param whole the schema of the whole answer
 */
export function withShortened(outline: ObjectSchema, whole: ObjectSchema): ObjectSchema {
  const { properties } = whole;
  const hasLists = Object.values(properties).some(({ type }) => type === 'array' || type === 'object');
  if (!hasLists) return outline;
  const isPage = 'limit' in properties && 'offset' in properties;
  const hasShops = ['shops', 'results'].some((name) => isListOfShops(properties[name]));
  return {
    ...outline,
    properties: {
      ...outline.properties,
      ...(isPage && { next_offset: { type: 'integer' } }),
      shortened: { type: 'string', ...(hasShops && { description: SHOPS }) },
    },
  };
}

/** Said here once, since a list of differences is outlined by its type alone. */
const SHOPS = 'What was cut; same_as_shop: as that shop has it';

function isListOfShops(schema: JsonSchema | undefined): boolean {
  const items = schema?.['items'] as JsonSchema | undefined;
  return Object.keys(items?.['properties'] ?? {}).includes('shop_id');
}
