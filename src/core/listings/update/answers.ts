import type { Warning } from '../../../../schemas/job.js';
import type { PlannedChange, UpdateResult } from '../../../../schemas/listing_changes.js';
import type { ListingRequest } from '../../../../schemas/listing_request.js';
import type { FieldDifference } from '../snapshot/compare.js';
import { isSameValue } from '../snapshot/difference.js';
import { findPending } from './decide/pending.js';
import { isTakable } from './decide/take_over.js';
import { isRelated } from './decide/related.js';
import type { Decision, Drift, Pending, ShopAction, ShopUpdate } from './plan.js';

type GoDecision = Extract<Decision, { kind: 'go' }>;

/** What the update would do in one shop. */
export function toPlannedChange(
  update: Omit<ShopUpdate, 'names'>,
  decision: Decision,
  marketplace_calls: number,
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
      error: describeDrift(
        drift.map(({ field }) => field),
        update.action.kind,
      ),
      details: { code: 'DRIFT', drift },
      diff: [],
      warnings: [...warnings, ...toTaken(decision.taken_over, false)],
    };
  }
  if (decision.kind === 'refused') {
    const { error, fields } = decision;
    return {
      ...identity,
      status: 'error',
      error: withPaths(fields, error),
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
    warnings: [...warnings, ...decision.warnings, ...toTaken(decision.taken_over, false)],
  };
}

function isOtherPending(action: ShopAction, { pending }: { pending?: Pending | null }): boolean {
  return pending !== undefined && (pending !== null || findPending(action) !== null);
}

/**
 * A dry run's decision to overwrite manual edits, with a warning for those that only a repeat of the call overwrites.
 * @param edits none if the call overwrites whatever it finds
 * @param areLicensed whether the caller is shown the edits whole, so that repeating the call overwrites them
 */
export function withManualEdits(
  decision: GoDecision,
  edits: readonly Drift[],
  areLicensed: boolean,
): GoDecision {
  if (edits.length === 0) return decision;
  const advice = areLicensed ? REPEATING : UNLICENSED;
  // An edit that the difference does not show in a field of its own is shown by the warning.
  const [plain, others] = [true, false].map((isOwn) =>
    edits.filter(({ field }) => decision.diff.some((change) => change.field === field) === isOwn),
  );
  return {
    ...decision,
    warnings: [
      ...decision.warnings.filter(({ code }) => code !== 'overwritten'),
      ...(plain ?? []).slice(0, 1).map(() => ({
        code: 'manual_edit',
        fields: (plain ?? []).map(({ field }) => field),
        reason: `Edited on Etsy since this service last wrote it. ${advice}`,
      })),
      ...(others ?? []).map(({ field, ours, theirs }) => ({
        code: 'manual_edit',
        fields: [field],
        reason: `Edited on Etsy from ${JSON.stringify(ours)} to ${JSON.stringify(theirs)} since this service last wrote it. ${advice}`,
      })),
    ],
  };
}

const UNLICENSED =
  'The answer is too long to show it whole, so repeating the call is refused: dry-run fewer shops or fields, or, after a yes of the seller, use on_drift overwrite.';

const REPEATING =
  'Show it to the seller. After a yes, repeat this call without dry_run within 30 minutes: it overwrites the edit.';

/** In one sentence, what a refusal for drift says. */
export function describeDrift(fields: readonly string[], kind: ShopAction['kind']): string {
  return `${fields.join(', ')} was edited on Etsy since this service last wrote it; nothing is written. Show the seller both values, in details.drift; after a yes, ${describeChoice(kind)}.`;
}

/** What on_drift offers a seller who has seen both values. */
export function describeChoice(kind: ShopAction['kind']): string {
  const rest = kind === 'restore' ? ', and on_drift skip leaves theirs and takes back the rest' : '';
  return `on_drift overwrite replaces theirs${rest}`;
}

export function withPaths(fields: readonly string[], error: string): string {
  return fields.length > 0 ? `${fields.join(', ')}: ${error}` : error;
}

/** The difference of a dry run. It marks the fields in which it overwrites a manual edit. */
function listShown({ diff, warnings }: GoDecision): PlannedChange['diff'] {
  const edited = warnings
    .filter(({ code }) => code === 'manual_edit' || code === 'overwritten')
    .flatMap(({ fields }) => fields);
  return diff.map((change) => {
    const isEdited = edited.some((field) => isRelated(change.field, field));
    return { ...toShown(change), ...(isEdited && { manual_edit: true }) };
  });
}

export function toShown({ field, before, after }: FieldDifference) {
  return { field, before, after };
}

/**
 * Edits by hand in fields that the change does not touch. Sales are not among them; they are reported where they matter.
 * @param isDone whether the change was made in this shop: a dry run, and one that failed, save nothing of it here
 */
export function toTaken(taken_over: readonly FieldDifference[], isDone: boolean): Warning[] {
  const names = taken_over.flatMap(({ kind, field }) => (kind === 'sold' ? [] : [field]));
  const saved = names.filter((field) => isDone && isTakable(field));
  const left = names.filter((field) => !saved.includes(field));
  return [
    ...tellTaken(
      saved,
      'and is taken over here, where shops share the value once it is the same in all of them',
    ),
    ...tellTaken(left, 'and the listing as it is saved here does not have it'),
  ];
}

function tellTaken(fields: string[], what: string): Warning[] {
  if (fields.length === 0) return [];
  const reason = `Edited on Etsy since this service last wrote it; it stays there, ${what}.`;
  return [{ code: 'taken_over', level: 'note', fields, reason }];
}

/** The answer to a dry run of an update. */
export function toUpdateDryRun(shops: readonly PlannedChange[], warnings: readonly Warning[]): UpdateResult {
  const failed = shops.filter(({ status }) => status === 'error').length;
  const changed = shops.filter(({ status }) => status === 'ok').length;
  const what =
    failed > 0
      ? `Changes ${count(changed)} of ${shops.length}; ${count(failed)} cannot be changed like this: see error.`
      : changed === 0
        ? 'Nothing would change: all is as asked for.'
        : `Changes ${count(changed)} as diff tells, for free.`;
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
export function compareRequests(before: ListingRequest, after: ListingRequest): FieldDifference[] {
  return compare(before, after, '');
}

function compare(before: unknown, after: unknown, path: string): FieldDifference[] {
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
