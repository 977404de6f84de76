import { errorBody, ERROR_CODES } from '../../../schemas/error.js';
import type { Operation } from '../../core/operations/operation.js';
import { buildAnswerSchema, buildInputSchema } from '../json_schema.js';
import { convert, type JsonSchema, type ObjectSchema } from '../schema_conversion.js';
import type { EventDescription } from '../events.js';
import { RATE_HEADERS } from '../rate_headers.js';
import { API_PREFIX } from '../rest/rest.js';
import { SECURITY_SCHEMES } from './security.js';
import { buildOperation } from './operation.js';
import { buildRequestSchema, nameSchema } from './request.js';

/** The version of the interface, which is also in the path; not the version of this program. */
const API_VERSION = '1.0.0';

/** OpenAPI 3.1.1, generated from the operations and the events, including examples, failures and headers. */
export function buildOpenApi(
  operations: readonly Operation[],
  events: readonly EventDescription[],
  base_url: string,
): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const schemas: Record<string, JsonSchema> = {
    // `Error` would shadow the global in generated TypeScript.
    ErrorBody: referToCodes(convert('error', errorBody)),
    ErrorCode: { type: 'string', enum: ERROR_CODES },
  };
  for (const operation of operations) {
    const { path, method, body } = operation.route;
    const input = buildInputSchema(operation);
    if (!operation.file) schemas[nameSchema(operation, 'Result')] = buildAnswerSchema(operation);
    if (body) schemas[nameSchema(operation, 'Request')] = buildRequestSchema(operation.route, input);
    paths[API_PREFIX + path] = {
      ...paths[API_PREFIX + path],
      [method.toLowerCase()]: buildOperation(operation, input, base_url),
    };
  }
  for (const event of events) schemas[nameEvent(event)] = event.body;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Marketplace Listing Service API',
      version: API_VERSION,
      description:
        'Builds listings in many shops of a marketplace at once, keeps what a listing needs to know of each shop, searches, and delivers order events. Clients branch on the code of an error, never on its message, and pass over fields they do not know. The path /listings/create/{job_id} has the form of /listings/{listing_pk}/publish, /copy and /undo, but they never meet: a listing_pk is a number.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { url: `${base_url}/docs`, description: 'The same for people' },
    servers: [{ url: base_url }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name],
    })),
    security: [{ ApiKey: [] }],
    paths,
    webhooks: Object.fromEntries(events.map((event) => [event.type, buildWebhook(event)])),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: { ...COUNTS, 'Retry-After': RETRY_AFTER },
      schemas,
    },
  };
}

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  'Listing Builder': 'Create, publish, change, copy and import listings in several shops',
  Batches: 'Change many listings at once: plan, start, and take back',
  Stores: 'Connected shops, and what a listing needs to know of them',
  Categories: 'Find a category, and what listings in it take',
  'Images & Media': 'Upload photos, videos and digital files',
  Search: 'Search active listings of the whole marketplace',
  Webhooks: 'The destination of order events, and their deliveries',
};

/** Refers to the one list of codes instead of copying it. */
function referToCodes(schema: ObjectSchema): ObjectSchema {
  const error = schema.properties['error'] ?? {};
  const properties = error['properties'] as Record<string, JsonSchema>;
  const code = { $ref: '#/components/schemas/ErrorCode' };
  return { ...schema, properties: { error: { ...error, properties: { ...properties, code } } } };
}

const COUNTS = Object.fromEntries(
  Object.keys(RATE_HEADERS).map((name) => [
    name,
    { description: describeCount(name), schema: { type: 'integer', minimum: 0 } },
  ]),
);

function describeCount(name: string): string {
  const window = name.endsWith('Day') ? '24 hours' : 'one second';
  return name.includes('Remaining')
    ? `Calls that the account has left in ${window}`
    : `Calls that the account may make in ${window}`;
}

const RETRY_AFTER = {
  description: 'Seconds to wait before the request is sent again',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

/** `OrderPaidEvent` for order.paid. */
function nameEvent({ type }: EventDescription): string {
  const words = type.split('.').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** The webhook in OpenAPI's form: the request to the account's own server, and its responses. */
function buildWebhook(event: EventDescription): JsonSchema {
  const schema = { $ref: `#/components/schemas/${nameEvent(event)}` };
  const examples = { example_1: { summary: event.when, value: event.example } };
  return {
    post: {
      operationId: event.type.replace('.', '_'),
      summary: event.when,
      description:
        'Sent to the destination of webhook_endpoint_set, at least once, signed as Standard Webhooks wants it.',
      tags: ['Webhooks'],
      security: [],
      parameters: SIGNED_HEADERS,
      requestBody: { required: true, content: { 'application/json': { schema, examples } } },
      responses: {
        '2XX': { description: 'It has arrived, and is not sent again' },
        '410': { description: 'Nobody wants events here any more: the destination is switched off' },
        default: { description: 'It has not arrived, and is sent again later' },
      },
    },
  };
}

const SIGNED_HEADERS = [
  {
    name: 'webhook-id',
    description: 'The id of the event, the same in every attempt',
    schema: { type: 'string' },
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was signed, in epoch seconds',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  {
    name: 'webhook-signature',
    description: 'One `v1,BASE64` for each secret that is good now, separated by spaces',
    schema: { type: 'string' },
  },
].map((header) => ({ ...header, in: 'header', required: true }));
