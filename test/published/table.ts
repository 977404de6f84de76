import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { noteFields, noteSchema, readFields, readSchema, type Noted } from './notation.js';
import { toJson, type DocumentOperation, type Json, type OpenApi, type Parameter } from './open_api.js';

/**
 * The marketplace's document, if present, is stored next to the project; checks of every change use the
 * table.
 */
const DOCUMENT = new URL('../../../shared/marketplace/openapi.json', import.meta.url);
export const TABLE = new URL('table.json', import.meta.url);

const BODIES = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data',
} as const;
type BodyName = keyof typeof BODIES;

type NotedOperation = {
  /** Method and path. */
  call: string;
  /** The required scopes, separated by spaces; omitted if the application's key is enough. */
  scope?: string;
  path?: Record<string, Noted>;
  query?: Record<string, Noted>;
  body?: BodyName;
  fields?: Record<string, Noted>;
  /** By status; null if there is no body. */
  answers: Record<string, Noted | null>;
};

/** The document's entries for the operations that the client or the sandbox has. */
export type Table = {
  document_sha256: string;
  operations: Record<string, NotedOperation>;
  schemas: Record<string, Noted>;
};

export const hasDocument = existsSync(DOCUMENT);

export function readDocument(): OpenApi {
  return JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApi;
}

/** The table as stored in its file. */
export function readNoted(): Table {
  return JSON.parse(readFileSync(TABLE, 'utf8')) as Table;
}

/** The part of the document that the table covers, in the document's own form. */
export function readTable(): OpenApi {
  return toOpenApi(readNoted());
}

/** The references for checking requests and answers: the table, and the document too if it is present. */
export function listPublished(): { source: string; document: OpenApi }[] {
  const table = { source: 'table', document: readTable() };
  return hasDocument ? [table, { source: 'document', document: readDocument() }] : [table];
}

/** From the document that is stored next to the project. */
export function buildTable(document: OpenApi, names: ReadonlySet<string>): Table {
  const document_sha256 = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex');
  return { document_sha256, ...noteDocument(document, names) };
}

/** @param names of operations; the schemas they refer to are included */
export function noteDocument(
  document: OpenApi,
  names: ReadonlySet<string>,
): Pick<Table, 'operations' | 'schemas'> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => names.has(operationId))
      .map(([method, operation]): [string, NotedOperation] => [
        operation.operationId,
        noteOperation(`${method.toUpperCase()} ${path}`, operation),
      ]),
  );
  const schemas = new Map<string, Noted>();
  const add = (noted: unknown): void => {
    for (const [, name = ''] of JSON.stringify(noted).matchAll(/"#(\w+)"/g)) {
      if (schemas.has(name)) continue;
      const schema = noteSchema(toJson(document.components.schemas[name]));
      schemas.set(name, schema);
      add(schema);
    }
  };
  add(operations);
  return {
    operations: Object.fromEntries(operations.sort(byName)),
    schemas: Object.fromEntries([...schemas].sort(byName)),
  };
}

export function toOpenApi({ operations, schemas }: Table): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = operation.call.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = readOperation(name, operation);
  }
  const read = Object.entries(schemas).map(([name, noted]) => [name, readSchema(noted)] as const);
  return { paths, components: { schemas: Object.fromEntries(read) } };
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function noteOperation(call: string, operation: DocumentOperation): NotedOperation {
  const { parameters = [], requestBody, responses, security = [] } = operation;
  const scope = security.flatMap(({ oauth2 }) => oauth2 ?? []).join(' ');
  const [path, query] = (['path', 'query'] as const).map((place) => noteParameters(parameters, place));
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = (Object.keys(BODIES) as BodyName[]).find((name) => BODIES[name] === type);
  const { properties, required } = toJson(content?.schema);
  return {
    call,
    ...(scope !== '' && { scope }),
    ...(path && { path }),
    ...(query && { query }),
    ...(body && { body, fields: noteFields(toJson(properties), required) }),
    answers: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => {
        const schema = answer.content?.['application/json']?.schema;
        return [status, schema === undefined ? null : noteSchema(schema)];
      }),
    ),
  };
}

function noteParameters(
  parameters: readonly Parameter[],
  place: 'path' | 'query',
): Record<string, Noted> | undefined {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return undefined;
  const schemas = Object.fromEntries(here.map(({ name, schema }) => [name, schema]));
  return noteFields(
    schemas,
    here.filter(({ required }) => required).map(({ name }) => name),
  );
}

function readOperation(operationId: string, noted: NotedOperation): DocumentOperation {
  const { scope, path = {}, query = {}, body, fields = {}, answers } = noted;
  return {
    operationId,
    parameters: [...readParameters(path, 'path'), ...readParameters(query, 'query')],
    ...(body && {
      requestBody: { content: { [BODIES[body]]: { schema: { type: 'object', ...readFields(fields) } } } },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        answer === null ? {} : { content: { 'application/json': { schema: readSchema(answer) } } },
      ]),
    ),
    security: scope === undefined ? [] : [{ oauth2: scope.split(' ') }],
  };
}

function readParameters(noted: Record<string, Noted>, place: 'path' | 'query'): Parameter[] {
  const { properties, required = [] } = readFields(noted);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: schema as Json,
  }));
}
