/** The part of OpenAPI 3.0 that the marketplace's document uses, without text for people. */
export type Json = Record<string, unknown>;
export type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: Json };
type Content = Record<string, { schema: Json }>;
export type DocumentOperation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  security?: Record<string, string[]>[];
};
export type OpenApi = {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Json> };
};

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toJson(value: unknown): Json {
  return isJson(value) ? { ...value } : {};
}
