import type { FieldDifference } from '../../../schemas/field_ref.js';
import { toLabel } from '../../../src/core/listings/snapshot/field_refs.js';
import { toDrift } from '../../../src/core/listings/decide/answers.js';

/** The content of a row, as written by releases that stored labels instead of refs. */
export function withLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLabels);
  if (!isObject(value)) return value;
  if ('ref' in value && 'before' in value) {
    const { ref, before, after, kind } = value as FieldDifference;
    return { field: toLabel(ref), before, after, ...(kind === 'sold' && { kind }) };
  }
  const { overwriting, drift, ...others } = value;
  const members = Object.entries(others).map(([key, member]) => [key, withLabels(member)] as const);
  const edits = ((overwriting ?? []) as { warning: unknown }[]).map(({ warning }) => warning);
  return {
    ...Object.fromEntries(members),
    ...(edits.length > 0 && { warnings: [...(value['warnings'] as unknown[]), ...edits] }),
    ...(drift !== undefined && { drift: (drift as FieldDifference[]).map(toDrift) }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
