import type { Operation } from '../../core/operation.js';
import { API_PREFIX } from '../rest/rest.js';
import type { JsonSchema, ObjectSchema } from '../json_schema.js';

/** A command that shows how the operation is called; the values are placeholders of the right type. */
export function buildCurl({ route }: Operation, schema: ObjectSchema, base_url: string): string {
  const names = new Set([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    String(buildExample(schema.properties[name] ?? {})),
  );
  const rest = Object.entries(schema.properties).filter(
    ([name]) => !names.has(name) && (schema.required ?? []).includes(name),
  );
  const query = route.body
    ? ''
    : rest.map(([name, field]) => `${name}=${String(buildExample(field))}`).join('&');
  const lines = [
    `curl -X ${route.method} '${base_url}${API_PREFIX}${path}${query && `?${query}`}'`,
    `-H "X-Service-API-Key: $KEY"`,
  ];
  if (route.body === 'multipart') lines.push(`-F type=image`, `-F file=@mug.jpg`);
  if (route.body === 'json') {
    const body = Object.fromEntries(rest.map(([name, field]) => [name, buildExample(field)]));
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  }
  return lines.join(' \\\n  ');
}

/** A value of the schema's type; required keys only. */
export function buildExample(schema: JsonSchema): unknown {
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  const type = [schema['type']].flat()[0];
  if (type === 'object') {
    const { properties = {}, required = [] } = schema as Partial<ObjectSchema>;
    return Object.fromEntries(required.map((name) => [name, buildExample(properties[name] ?? {})]));
  }
  if (type === 'array') return [buildExample((schema['items'] ?? {}) as JsonSchema)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1);
  return 'text';
}
