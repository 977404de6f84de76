import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { isConstant, keepConstant, oncePerConstant } from '../../core/constant.js';
import type { Outcome } from '../../core/invoke.js';
import type { Effect, Operation } from '../../core/operation.js';
import { buildInputSchema, buildOutputSchema } from '../json_schema.js';
import { toRateNumbers } from '../rate_headers.js';
import { toVisibleText } from '../visible_text.js';
import { outlineOutput } from './output_outline.js';

/** An operation as tools/list shows it. */
export function buildTool(operation: Operation): Tool {
  return {
    name: operation.id,
    title: operation.title,
    description: operation.description,
    inputSchema: buildInputSchema(operation),
    outputSchema: outlineOutput(buildOutputSchema(operation)),
    annotations: buildAnnotations(operation),
  };
}

/** All four hints, always: what is left out means the worst. An update overwrites, so it counts as destructive. */
export function buildAnnotations({ title, effect, reach }: Operation): ToolAnnotations {
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
export function toCallToolResult(outcome: Outcome): CallToolResult {
  const _meta = buildMeta(outcome);
  if (!outcome.ok) return { _meta, isError: true, content: buildContent(outcome.error) };
  const content = buildContent(outcome.output);
  return { _meta, content, structuredContent: outcome.output as Record<string, unknown> };
}

const buildContent = oncePerConstant((facts: unknown): CallToolResult['content'] => {
  const content: CallToolResult['content'] = [{ type: 'text', text: toJsonForReaders(facts) }];
  return isConstant(facts) ? keepConstant(content) : content;
});

/** What REST says in headers. */
export function buildMeta(outcome: Outcome): CallToolResult['_meta'] {
  const numbers = outcome.limits && toRateNumbers(outcome.limits);
  const pause = outcome.ok ? undefined : outcome.retry_after_seconds;
  return pause === undefined ? numbers : { ...numbers, retry_after_seconds: pause };
}

/** Without what could hide words from a person or a model. */
export function toJsonForReaders(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON itself escapes some of what is looked for, and then each string has to be looked at.
  return toVisibleText(ESCAPED.test(text) ? JSON.stringify(value, clean) : text);
}

/** Control characters as JSON writes them. */
const ESCAPED = /\\[bfu]/;

function clean(_key: string, item: unknown): unknown {
  return typeof item === 'string' ? toVisibleText(item) : item;
}
