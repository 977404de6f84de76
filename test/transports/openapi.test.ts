import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { operations } from '../../tools/index.js';
import { buildOpenApi } from '../../src/transports/openapi/document.js';
import { serveSample } from './sample.js';

type Document = {
  openapi: string;
  info: { version: string };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { name: string; in: string; required?: boolean; schema: object }[];
        requestBody?: { content: Record<string, { schema: object }> };
        responses: Record<string, { content: Record<string, { schema: object }> }>;
      }
    >
  >;
  components: { schemas: Record<string, object> };
};

const document = buildOpenApi(operations, 'https://listings.example.com') as Document;

describe('the OpenAPI document', () => {
  it('describes every operation under its route', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.1', '1.0.0']);
    for (const { id, route } of operations) {
      expect(document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it('has valid schemas everywhere', () => {
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document, 'document');
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { parameters, requestBody, responses } of all) {
      const schemas = [
        ...parameters.map(({ schema }) => schema),
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
        ...Object.values(responses).flatMap(({ content }) =>
          Object.values(content).map(({ schema }) => schema),
        ),
      ];
      for (const schema of schemas) expect(ajv.validateSchema(schema)).toBe(true);
    }
    expect(ajv.validateSchema(document.components.schemas['Error'] ?? {})).toBe(true);
  });

  it('requires path parameters, and leaves them out of bodies', () => {
    const publish = document.paths['/api/v1/listings/{listing_pk}/publish']?.['post'];
    expect(publish?.parameters).toEqual([
      {
        name: 'listing_pk',
        in: 'path',
        required: true,
        description: expect.any(String),
        schema: { type: 'integer' },
      },
    ]);
    expect(publish?.requestBody?.content['application/json']?.schema).toMatchObject({ required: ['state'] });
    const search = document.paths['/api/v1/listings/search']?.['get'];
    expect(search?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['keywords', true],
      ['limit', false],
      ['offset', false],
    ]);
  });

  it('tells only documented statuses', () => {
    const statuses = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.keys(responses));
    expect([...new Set(statuses)].sort()).toEqual(['200', '201', '400', '401', '404', '429', '500']);
  });

  it('is served without a key', async () => {
    const { url } = await serveSample();
    const response = await fetch(`${url}/api/v1/openapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.1' });
  });
});
