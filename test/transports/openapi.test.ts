import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
/* oxlint-disable vitest/valid-expect -- the second argument is whose it is */
import { ERRORS } from '../../src/core/errors.js';
import { listErrors } from '../../src/core/operations/operation.js';
import { EVENT_TYPES } from '../../schemas/endpoint.js';
import { operations } from '../../tools/index.js';
import { EVENTS } from '../../src/transports/events.js';
import { buildOpenApi } from '../../src/transports/openapi/document.js';
import { RATE_HEADERS } from '../../src/transports/rate_headers.js';
import { serveSample } from './sample.js';

type Media = { schema: object; examples?: Record<string, { summary: string; value: unknown }> };
type Typed = { schema: object; example?: unknown };
/** Objects in a query are JSON. */
type Parameter = { name: string; in: string; required?: boolean } & (
  Typed | { content: { 'application/json': Typed } }
);
type Described = {
  operationId: string;
  tags: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, Media> }>;
};
type Document = {
  openapi: string;
  info: { version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<
    string,
    { post: { operationId: string; requestBody: { content: Record<string, Media> } } }
  >;
  components: { schemas: Record<string, object> };
};

const document = buildOpenApi(operations, EVENTS, 'https://listings.example.com') as Document;

/** Each operation with its entry in the document. */
const described = operations.map((operation) => {
  const found = document.paths[`/api/v1${operation.route.path}`]?.[operation.route.method.toLowerCase()];
  if (!found) throw new Error(`${operation.id} is not described`);
  return { operation, ...found };
});

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, formats: { binary: true } }));
ajv.addSchema(document, 'document');

/** The reasons why a value is invalid, or null. `#/…` means the document. */
function check(schema: object, value: unknown) {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const validate = ajv.compile(absolute);
  return validate(value) ? null : validate.errors;
}

function toTyped(parameter: Parameter): Typed {
  return 'content' in parameter ? parameter.content['application/json'] : parameter;
}

describe('the OpenAPI document', () => {
  it('is valid according to an independent validator', async () => {
    const result = await new Validator().validate(structuredClone<Record<string, unknown>>(document));
    expect(result).toMatchObject({ valid: true });
    expect([document.openapi, document.info.version]).toEqual(['3.1.1', '1.0.0']);
  });

  it('describes every operation under its route, and nothing else', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
    expect(described.map(({ operationId }) => operationId)).toEqual(operations.map(({ id }) => id));
    expect(document.tags.map(({ name }) => name)).toEqual([...new Set(operations.map(({ tag }) => tag))]);
  });

  it('has valid schemas everywhere', () => {
    for (const schema of Object.values(document.components.schemas)) {
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    }
    for (const { parameters = [] } of described) {
      for (const one of parameters) expect(ajv.validateSchema(toTyped(one).schema)).toBe(true);
    }
  });

  it('describes every event that is sent, with a valid example', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, examples = {} } = post.requestBody.content['application/json'] ?? { schema: {} };
      const values = Object.values(examples).map(({ value }) => value);
      expect(values.map((value) => check(schema, value))).toEqual([null]);
      expect(values).toEqual([expect.objectContaining({ type })]);
      expect(check(schema, { ...Object(values[0]), type: 'order.lost' })).not.toBeNull();
    }
  });

  it('names no component like a global or like a type that generators make themselves', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => name in globalThis || name.endsWith('Response'))).toEqual([]);
  });

  it('says that paths that look alike never conflict', () => {
    for (const part of ['/listings/create/{job_id}', '/listings/{listing_pk}/publish', '/copy', '/undo']) {
      expect(document.info.description).toContain(part);
    }
  });

  it('describes each tag, names each webhook, and has no unused component', () => {
    expect(document.tags.every(({ description }) => description !== undefined)).toBe(true);
    const hooks = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(hooks).toEqual(EVENT_TYPES.map((type) => type.replace('.', '_')));
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });

  it('requires path parameters, and leaves them out of bodies', () => {
    const publish = document.paths['/api/v1/listings/{listing_pk}/publish']?.['post'];
    expect(publish?.parameters?.filter((parameter) => parameter['in'] === 'path')).toEqual([
      {
        name: 'listing_pk',
        in: 'path',
        required: true,
        description: expect.any(String),
        schema: { type: 'integer' },
        example: 1,
      },
    ]);
    expect(document.components.schemas['ListingPublishRequest']).toMatchObject({ required: ['state'] });
    const search = document.paths['/api/v1/listings/search']?.['get'];
    expect(search?.parameters?.map(({ name, required }) => [name, required])).toEqual([
      ['keywords', true],
      ['limit', false],
      ['offset', false],
    ]);
    const upload = document.components.schemas['FileUploadRequest'] as { properties: object; required: [] };
    expect([Object.keys(upload.properties), upload.required]).toEqual([['type', 'file'], ['file']]);
  });

  it('offers a token for operations that accept one, and only the key for the rest', () => {
    for (const { operation, security } of described) {
      expect(security).toEqual(operation.auth === 'key' ? undefined : [{ ApiKey: [] }, { Bearer: [] }]);
    }
  });

  it('lists exactly the codes that each operation can return, with a body for each', () => {
    for (const { operation, responses } of described) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      const answered = failures.flatMap(([, { content }]) =>
        Object.entries(content?.['application/json']?.examples ?? {}),
      );
      expect(answered.map(([code]) => code).sort()).toEqual(listErrors(operation).sort());
      for (const [status, { content }] of failures) {
        const { schema = {}, examples = {} } = content?.['application/json'] ?? {};
        for (const [code, { value }] of Object.entries(examples)) {
          expect(value).toMatchObject({ error: { code, status: Number(status) } });
          expect(check(schema, value)).toBeNull();
        }
      }
    }
  });

  it('lists only documented statuses, with their headers', () => {
    const statuses = described.flatMap(({ responses }) => Object.entries(responses));
    const all = new Set(statuses.map(([status]) => status));
    expect([...all].sort()).toEqual(['200', '201', '304', '400', '401', '404', '429', '500']);
    const namesOf = (wanted: RegExp) =>
      statuses
        .filter(([status]) => wanted.test(status))
        .map(([, { headers = {} }]) => Object.keys(headers).filter((name) => /^X-Rate|^Retry/.test(name)));
    for (const names of namesOf(/^429/)) expect(names).toEqual(['Retry-After']);
    for (const names of namesOf(/^2/)) expect(names).toEqual(Object.keys(RATE_HEADERS));
  });

  it('shows every operation at work, in requests and answers that match their schemas', () => {
    for (const { operation, requestBody, responses, parameters = [] } of described) {
      const answers = Object.entries(responses).filter(([status]) => Number(status) < 300);
      const shown = answers.flatMap(([, { content }]) => Object.values(content ?? {}));
      const count = shown.flatMap(({ examples = {} }) => Object.values(examples)).length;
      // A file is not answered as JSON.
      expect(count, operation.id).toBe(operation.file ? 0 : operation.examples.length);
      expect(operation.examples.length, operation.id).toBeGreaterThan(0);
      const bodies = Object.values(requestBody?.content ?? {});
      for (const { schema, examples = {} } of [...shown, ...bodies]) {
        for (const { value } of Object.values(examples))
          expect(check(schema, value), operation.id).toBeNull();
      }
      const typed = parameters.map((one) => ({ place: one.in, ...toTyped(one) }));
      for (const { schema, example } of typed.filter((one) => one.place === 'path' || 'example' in one)) {
        expect(check(schema, example), operation.id).toBeNull();
      }
    }
  });

  it('has a line for every code in its table of errors', () => {
    const { enum: codes } = document.components.schemas['ErrorCode'] as { enum: string[] };
    expect(codes.toSorted()).toEqual(Object.keys(ERRORS).sort());
  });

  it('is served without a key', async () => {
    const { url } = await serveSample();
    const response = await fetch(`${url}/api/v1/openapi.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.1' });
  });
});
