import type { Fact } from '../../../../schemas/issue.js';
import type { FieldDifference, FieldRef } from '../../../../schemas/field_ref.js';
import type { Warning } from '../../../../schemas/job.js';
import type { FormDifference } from '../../../../schemas/import.js';
import type { PlannedChange, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { Pending } from '../../ports/listing/changes.js';
import type { ChangeAction, ShopPlan } from '../../ports/listing/plan.js';
import { isRelated, isSameRef, toLabel } from '../snapshot/field_refs.js';
import { isSameValue } from '../snapshot/difference.js';
import type { Decision } from './decision.js';
import { findPending } from './pending.js';
import { isAcceptable } from './accept_edits.js';

type ShownDifference = { field: string; before: unknown; after: unknown };
type GoDecision = Extract<Decision, { kind: 'go' }>;

/** The effects of the update in one shop. @param edits warnings of the manual edits it would overwrite */
export function toPlannedChange(
  update: Omit<ShopPlan<ChangeAction>, 'names'>,
  decision: Decision,
  marketplace_calls: number,
  edits: readonly Warning[] = [],
): PlannedChange {
  const identity = {
    shop_id: String(update.shop_id),
    shop_name: update.shop_name,
    currency_code: update.currency_code,
    listing_id: update.listing_id,
    marketplace_calls,
  };
  const { warnings } = update;
  if (decision.kind === 'drift') {
    const { drift } = decision;
    return {
      ...identity,
      status: 'error',
      error: toDriftFact(
        drift.map(({ ref }) => toLabel(ref)),
        update.action.kind,
      ),
      details: { code: 'DRIFT', drift: drift.map(toDrift) },
      diff: [],
      warnings: [...warnings, ...toTaken(decision.taken_over, false)],
    };
  }
  if (decision.kind === 'refused') {
    const { problem, fields } = decision;
    return {
      ...identity,
      status: 'error',
      error: { code: 'change_refused', params: { fields, problem } },
      details: { fields },
      diff: [],
      warnings,
    };
  }
  return {
    ...identity,
    ...(decision.pending && { pending: decision.pending.fields.map(toShown) }),
    status: decision.kind === 'go' || isOtherPending(update.action, decision) ? 'ok' : 'unchanged',
    diff: decision.kind === 'go' ? listShown(decision) : [],
    warnings: [...warnings, ...decision.warnings, ...edits, ...toTaken(decision.taken_over, false)],
  };
}

function isOtherPending(action: ChangeAction, { pending }: { pending?: Pending | null }): boolean {
  return pending !== undefined && (pending !== null || findPending(action) !== null);
}

/**
 * Warns about the manual edits that a dry run would overwrite.
 * @param edits those that only a repeat of the call overwrites; none if the call overwrites everything
 * @param areLicensed whether the caller sees the whole edits, so that repeating the call overwrites them
 */
export function listManualEdits(
  { diff, overwriting }: GoDecision,
  edits: readonly FieldDifference[],
  areLicensed: boolean,
): Warning[] {
  if (edits.length === 0) return overwriting.map(({ warning }) => warning);
  // If the difference does not show an edit in a field of its own, the warning shows it.
  const isShown = ({ ref }: FieldDifference) => diff.some((change) => isSameRef(change.ref, ref));
  const shown = edits.filter(isShown);
  const build = (fields: string[], edit?: { ours: unknown; theirs: unknown }): Warning => {
    const params = { ...(edit && { edit }), is_licensed: areLicensed };
    return { code: 'manual_edit', fields, reason: { code: 'manual_edit', params } };
  };
  return [
    ...shown.slice(0, 1).map(() => build(shown.map(({ ref }) => toLabel(ref)))),
    ...edits
      .filter((edit) => !isShown(edit))
      .map(({ ref, before: ours, after: theirs }) => build([toLabel(ref)], { ours, theirs })),
  ];
}

/** A refusal because of drift found before anything was written. */
export function toDriftFact(fields: readonly string[], kind: ChangeAction['kind']): Fact {
  return { code: 'edited_elsewhere', params: { fields, when: 'before', can_skip: kind === 'restore' } };
}

/** The difference of a dry run. Marks fields in which it overwrites a manual edit. */
function listShown({ diff, overwriting }: GoDecision): PlannedChange['diff'] {
  return diff.map((change) => {
    const isEdited = overwriting.some(({ ref }) => isRelated(change.ref, ref));
    return { ...toShown(change), ...(isEdited && { manual_edit: true }) };
  });
}

/** A difference in the form callers see. */
export function toShown({ ref, before, after }: FieldDifference): ShownDifference {
  return { field: toLabel(ref), before, after };
}

/** A manual edit in the form callers see. */
export function toDrift({ ref, before: ours, after: theirs }: FieldDifference): FormDifference {
  return { field: toLabel(ref), ours, theirs };
}

/**
 * Manual edits in fields the update does not touch. Excludes sales, which are reported where they matter.
 * @param isDone whether the update was made in this shop: a dry run and a failed update save none of them
 */
export function toTaken(taken_over: readonly FieldDifference[], isDone: boolean): Warning[] {
  const refs = taken_over.flatMap(({ kind, ref }) => (kind === 'sold' ? [] : [ref]));
  const saved = refs.filter((ref) => isDone && isAcceptable(ref));
  const left = refs.filter((ref) => !saved.includes(ref));
  return [...buildTaken(saved, true), ...buildTaken(left, false)];
}

function buildTaken(refs: readonly FieldRef[], isSaved: boolean): Warning[] {
  if (refs.length === 0) return [];
  const reason = { code: 'taken_over' as const, params: { is_saved: isSaved } };
  return [{ code: 'taken_over', level: 'note', fields: refs.map(toLabel), reason }];
}

/** The result of a dry run of an update. */
export function toUpdateDryRun(shops: readonly PlannedChange[], warnings: readonly Warning[]): UpdateResult {
  const failed = shops.filter(({ status }) => status === 'error').length;
  const changed = shops.filter(({ status }) => status === 'ok').length;
  const what =
    failed > 0
      ? `Changes ${count(changed)} of ${shops.length}; ${count(failed)} cannot be changed like this: see error.`
      : changed === 0
        ? 'Nothing would change: everything is already as requested.'
        : `Changes ${count(changed)} as diff shows, for free.`;
  const isPending = shops.some(({ pending }) => pending !== undefined);
  const later = isPending ? ' Fields in pending are kept until the listing has stock.' : '';
  return {
    status: 'valid',
    message: `${what}${later} Nothing was written.`,
    shops_count: shops.length,
    shops: [...shops],
    marketplace_calls: shops.reduce((sum, { marketplace_calls = 0 }) => sum + marketplace_calls, 0),
    cost_usd: 0,
    warnings: [...warnings],
  };
}

function count(shops: number): string {
  return shops === 1 ? '1 shop' : `${shops} shops`;
}

/** The differences between two requests, in the fields that a change names and in offerings. */
export function compareRequests(before: ListingRequest, after: ListingRequest): ShownDifference[] {
  return compare(before, after, '');
}

function compare(before: unknown, after: unknown, path: string): ShownDifference[] {
  if (isSameValue(before, after)) return [];
  if (!isObject(before) || !isObject(after)) {
    if (isList(before) && isList(after) && before.length === after.length && before.some(isObject)) {
      return before.flatMap((item, index) => compare(item, after[index], `${path}[${index}]`));
    }
    return [{ field: path, before: before ?? null, after: after ?? null }];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => compare(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
