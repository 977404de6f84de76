import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { Outcome } from '../../../core/operations/invoke.js';
import type { Effect, Operation } from '../../../core/operations/operation.js';
import { buildOutputSchema } from '../../json_schema.js';
import { toRateNumbers } from '../../rate_headers.js';
import { outlineOutput } from './output_outline.js';
import { NOTICE, toReadable, toReadableWithNotice, type Readable } from './readable.js';
import { shortenAnswer } from './short_answer.js';
import { withShortened } from './shortened_schema.js';
import { buildToolInput } from './tool_input.js';

/** An operation as tools/list shows it. */
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

/** All four hints, always: a missing hint means the worst. An update overwrites, so it counts as destructive. */
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
 * A success is sent twice, as structured content and as text with the same facts, because clients drop one or the other.
 * A failure is text only: the official client holds structured content against the output schema even then.
 */
export function toCallToolResult(outcome: Outcome, operation: Operation): CallToolResult {
  const _meta = buildMeta(outcome, operation);
  const { content, facts } = toReadableAnswer(outcome, operation);
  if (!outcome.ok) return { _meta, isError: true, content };
  return { _meta, content, structuredContent: facts };
}

/** An answer as text, for the model, and as structured content, for programs. */
export function toReadableAnswer(outcome: Outcome, operation: Operation): Readable {
  const facts = outcome.ok
    ? shortenAnswer(outcome.output as Record<string, unknown>, operation)
    : outcome.error;
  return operation.words === 'own' ? toReadable(facts) : toReadableWithNotice(facts);
}

/** `_meta` of a result: the limits, which REST sends in headers, and the notice that is in the text too. */
export function buildMeta(outcome: Outcome, { words }: Operation): CallToolResult['_meta'] {
  const meta: Record<string, unknown> = outcome.limits ? toRateNumbers(outcome.limits) : {};
  if (!outcome.ok && outcome.retry_after_seconds !== undefined) {
    meta['retry_after_seconds'] = outcome.retry_after_seconds;
  }
  if (words !== 'own') meta['notice'] = NOTICE;
  return meta;
}
