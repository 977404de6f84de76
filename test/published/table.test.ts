import { listWhenMade } from '../../src/core/listings/rules/when_made.js';
import { listPeriods } from '../../src/sandbox/rules/listing_request.js';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LISTING_FEE, MARKETPLACE_FACTS } from '../../schemas/marketplace_facts.js';
import { compareWithDocument } from '../../src/marketplace/index.js';
import { OPERATIONS } from '../../src/marketplace/endpoints/operations.js';
import { ROUTES } from '../../src/sandbox/endpoints.js';
import * as sandbox from '../../src/sandbox/rules/choices.js';
import { readSources } from '../architecture/sources.js';
import { isJson, type Json, type OpenApi } from './open_api.js';
import {
  buildTable,
  hasDocument,
  noteDocument,
  readDocument,
  readNoted,
  readTable,
  TABLE,
  toOpenApi,
} from './table.js';

/*
 * The table of the marketplace's published interface, which the client and the sandbox are checked against
 * everywhere.
 */

const NAMES = new Set<string>([
  ...Object.values(OPERATIONS).map(({ name }) => name),
  ...ROUTES.map(({ operation }) => operation),
]);

it.skipIf(!hasDocument)(
  'the table equals the document’s; npm run published:accept writes it (skipped without the document)',
  async () => {
    const table = buildTable(readDocument(), NAMES);
    await expect(`${JSON.stringify(table, undefined, 1)}\n`).toMatchFileSnapshot(fileURLToPath(TABLE));
  },
);

it.skipIf(!hasDocument)(
  'the table loses nothing of the document except descriptions, formats and defaults (skipped without the document)',
  () => {
    const document = readDocument();
    const kept = toOpenApi(buildTable(document, NAMES));
    expect(strip(kept)).toEqual(strip(cut(document, kept)));
  },
);

it.skipIf(!hasDocument)(
  'the rules in this release agree with the document (skipped without the document)',
  () => {
    expect(compareWithDocument(readDocument())).toEqual([]);
  },
);

it('the rules in this release agree with the table, except those the document states only in its descriptions', () => {
  const reported = compareWithDocument({ openapi: '3.0.2', ...readTable() });
  expect(reported?.filter((sentence) => !sentence.startsWith('The document no longer '))).toEqual([]);
});

it('the table loses nothing when converted to the form of a document and back', () => {
  const { document_sha256: _digest, ...noted } = readNoted();
  expect(noteDocument(readTable(), NAMES)).toEqual(noted);
});

it('the table has every operation that the client calls or the sandbox answers', () => {
  const operations = Object.values(readTable().paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId))).toEqual(NAMES);
});

it('the product and the sandbox, each with its own copy, accept what the table says', () => {
  const create = readTable().paths['/v3/application/shops/{shop_id}/listings']?.['post'];
  const [body] = Object.values(create?.requestBody?.content ?? {});
  const fields = body?.schema['properties'];
  if (!isJson(fields)) throw new Error('the table has no fields of a listing');
  const listChoices = (name: string) => (fields[name] as Json)['enum'];
  const facts = MARKETPLACE_FACTS;
  expect(facts.who_made).toEqual(listChoices('who_made'));
  const document_year = 2026;
  expect(facts.when_made).toEqual(listChoices('when_made'));
  expect(listWhenMade(document_year)).toEqual(listChoices('when_made'));
  expect(listPeriods(document_year)).toEqual(listChoices('when_made'));
  expect(facts.item_weight_units).toEqual(listChoices('item_weight_unit'));
  expect(facts.item_dimensions_units).toEqual(listChoices('item_dimensions_unit'));
  expect(sandbox).toMatchObject({
    WHO_MADE: facts.who_made,
    WEIGHT_UNITS: facts.item_weight_units,
    DIMENSION_UNITS: facts.item_dimensions_units,
    LISTING_TYPES: listChoices('type'),
    ONCE_IN_TITLE: facts.title_once,
    MOST: {
      title: facts.title_max_chars,
      tags: facts.tags_per_listing,
      tag: facts.tag_max_chars,
      styles: facts.styles_per_listing,
      style: facts.style_max_chars,
      images: facts.images_per_listing,
      videos: facts.videos_per_listing,
    },
    LISTING_FEE: { amount: facts.listing_fee_usd * 100, currency_code: 'USD' },
  });
  const { title, tag, word } = sandbox.REFUSED;
  expect([title.source, tag.source, word.source]).toEqual([
    facts.title_forbidden,
    facts.tag_forbidden,
    facts.word_forbidden,
  ]);
  expect(facts.when_made).toContain(facts.open_when_made);
});

it('fee, periods and expressions are in one file of the product', () => {
  const facts = MARKETPLACE_FACTS;
  const only_here = [LISTING_FEE, facts.open_when_made, facts.title_forbidden, facts.tag_forbidden];
  const repeating = readSources()
    .filter(({ file }) => file !== 'schemas/marketplace_facts.ts' && !file.startsWith('src/sandbox/'))
    .flatMap(({ file, text }) => only_here.filter((fact) => text.includes(fact)).map((fact) => [file, fact]));
  expect(repeating).toEqual([]);
});

/** The document's paths, statuses and schemas that `kept` has. */
function cut(document: OpenApi, kept: OpenApi): OpenApi {
  const paths = Object.entries(kept.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.keys(methods).map((method) => [method, document.paths[path]?.[method]])),
  ]);
  const schemas = Object.keys(kept.components.schemas).map((name) => [
    name,
    document.components.schemas[name],
  ]);
  return {
    paths: Object.fromEntries(paths) as OpenApi['paths'],
    components: { schemas: Object.fromEntries(schemas) as Record<string, Json> },
  };
}

/** Without descriptions, and in one form where OpenAPI allows two. */
function strip({ paths, components }: OpenApi) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { parameters = [], requestBody, responses, security = [] } = operation;
      return {
        at: `${method} ${path}`,
        operationId: operation.operationId,
        scopes: security.flatMap(({ oauth2 }) => oauth2 ?? []),
        parameters: new Set(
          parameters.map((parameter) => ({
            name: parameter.name,
            in: parameter.in,
            is_required: parameter.required === true,
            schema: stripSchema(parameter.schema),
          })),
        ),
        body: Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
          type,
          stripSchema(schema),
        ]),
        answers: Object.entries(responses).map(([status, { content }]) => [
          status,
          stripSchema(content?.['application/json']?.schema),
        ]),
      };
    }),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, stripSchema(schema)]);
  return { operations: new Set(operations), schemas: Object.fromEntries(schemas) as Json };
}

function stripSchema(schema: unknown): unknown {
  if (!isJson(schema)) return undefined;
  const {
    type,
    enum: choices,
    minimum,
    maximum,
    nullable,
    properties,
    required,
    items,
    oneOf,
    $ref,
  } = schema;
  const [only]: unknown[] = Array.isArray(oneOf) ? oneOf : [undefined];
  const fields = isJson(properties) ? Object.entries(properties) : [];
  return {
    type,
    choices,
    minimum,
    maximum,
    is_nullable: nullable === true,
    ref: $ref ?? (isJson(only) ? only['$ref'] : undefined),
    items: stripSchema(items),
    required: new Set(Array.isArray(required) ? required : []),
    fields: Object.fromEntries(fields.map(([name, field]) => [name, stripSchema(field)])),
  };
}
