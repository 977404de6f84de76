import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Outcome } from '../../../core/operations/invoke.js';
import type { Effect, Operation } from '../../../core/operations/operation.js';
import { buildOutputSchema } from '../../json_schema.js';
import { toRateNumbers } from '../../rate_headers.js';
import { NOTICE, toReadable, toReadableWithNotice, type Readable } from './readable.js';
import { shortenAnswer } from './short_answer.js';
import { buildToolInput } from './tool_input.js';
import type { JsonSchema, ObjectSchema } from '../../schema_conversion.js';

/** An operation in the form that tools/list shows. */
export function buildTool(operation: Operation): Tool {
  return {
    name: operation.id,
    title: operation.title,
    description: operation.description,
    inputSchema: buildToolInput(operation) as Tool['inputSchema'],
    outputSchema: withShortened(
      outlineOutput(buildOutputSchema(operation), operation.outlined?.output),
      buildOutputSchema(operation),
    ),
    annotations: buildAnnotations(operation),
  };
}

/**
 * Always all four hints: a client assumes the worst for a missing one. An update overwrites, so it counts as
 * destructive.
 */
function buildAnnotations({ title, effect, reach }: Operation): ToolAnnotations {
  return { title, ...HINTS[effect], openWorldHint: reach !== 'service' };
}

const HINTS: Record<Effect, ToolAnnotations> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/**
 * A success is sent twice, as structured content and as text with the same facts, because clients drop one or
 * the other. A failure is sent as text only: the official client checks structured content against the output
 * schema even for failures.
 */
export function toCallToolResult(outcome: Outcome, operation: Operation): CallToolResult {
  const _meta = buildMeta(outcome, operation);
  const { content, facts } = toReadableAnswer(outcome, operation);
  if (!outcome.ok) return { _meta, isError: true, content };
  return { _meta, content, structuredContent: facts };
}

/** An answer as text for the model and as structured content for programs. */
export function toReadableAnswer(outcome: Outcome, operation: Operation): Readable {
  const facts = outcome.ok
    ? shortenAnswer(outcome.output as Record<string, unknown>, operation)
    : outcome.error;
  return operation.words === 'own' ? toReadable(facts) : toReadableWithNotice(facts);
}

/** `_meta` of a result: the limits, which REST sends in headers, and the notice that the text also has. */
export function buildMeta(outcome: Outcome, { words }: Operation): CallToolResult['_meta'] {
  const meta: Record<string, unknown> = outcome.limits ? toRateNumbers(outcome.limits) : {};
  if (!outcome.ok && outcome.retry_after_seconds !== undefined) {
    meta['retry_after_seconds'] = outcome.retry_after_seconds;
  }
  if (words !== 'own') meta['notice'] = NOTICE;
  return meta;
}

/**
 * An output schema short enough to be sent with every tools/list: the answer's fields and those of the
 * entries of its lists; deeper fields by type only, and no `required` lists. Every answer that matches the
 * full schema in the OpenAPI document also matches this one.
 * @param named the only fields to name
 */
function outlineOutput({ properties }: ObjectSchema, named?: readonly string[]): ObjectSchema {
  // A named field is the answer of another operation, whose outline has its type.
  if (named) return { type: 'object', properties: pickFields(properties, named) };
  return { type: 'object', properties: mapValues(properties, outlineField) };
}

function pickFields(properties: Record<string, JsonSchema>, named: readonly string[]) {
  return Object.fromEntries(named.map((name) => [name, outlineDeep(properties[name] ?? {})]));
}

function outlineField(schema: JsonSchema): JsonSchema {
  const { items } = schema;
  if (!isSchema(items)) return outlineDeep(schema);
  const { properties, ...entry } = items;
  const outlined = isSchema(properties)
    ? { type: 'object', properties: mapValues(properties as Record<string, JsonSchema>, outlineDeep) }
    : outlineDeep(entry);
  return { ...pick(schema), items: outlined };
}

function outlineDeep(schema: JsonSchema): JsonSchema {
  const { type, anyOf, items } = schema;
  if (type === 'object') return pick(schema);
  // Some clients refuse all tools if one list does not declare the type of its items.
  if (type === 'array') return { ...pick(schema), items: pickType(items) };
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.map((branch) => outlineDeep(branch as JsonSchema));
  const isPlain = branches.every((branch) => Object.keys(branch).join() === 'type');
  return {
    ...pick(schema),
    ...(isPlain ? { type: branches.map((branch) => branch['type']) } : { anyOf: branches }),
  };
}

function pick({ type, description }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
}

function pickType(items: unknown): JsonSchema {
  const { type, items: inner } = isSchema(items) ? items : {};
  return { type, ...(type === 'array' && { items: pickType(inner) }) };
}

function mapValues(all: Record<string, JsonSchema>, change: (schema: JsonSchema) => JsonSchema) {
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, change(schema)]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An outline with the fields that a shortened answer has in addition to the operation's own. REST returns
 * whole answers, so these fields are in no schema of the OpenAPI document.
 * @param whole the schema of the whole answer
 */
function withShortened(outline: ObjectSchema, whole: ObjectSchema): ObjectSchema {
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

/** Stated once here, because lists of differences are outlined by type only. */
const SHOPS = 'What was cut; same_as_shop: as that shop has it';

function isListOfShops(schema: JsonSchema | undefined): boolean {
  const items = schema?.['items'] as JsonSchema | undefined;
  return Object.keys(items?.['properties'] ?? {}).includes('shop_id');
}
