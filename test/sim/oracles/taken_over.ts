import { FIELDS, isMedia, toField, type Field, type Value } from './fields.js';
import { noteReported, type Change, type KnownListing, type KnownSale } from './known.js';
import type { Done } from './done.js';
import { listWritten } from './written.js';

/**
 * Manual edits that a change adopts in passing. A field that was written at the same time is not one of them:
 * the edit is gone. A change that failed adopts nothing.
 */
export function noteTakenOver(
  { fields }: KnownListing,
  { is_overwriting }: Change,
  { result: { status, warnings = [] }, written }: Pick<Done, 'result' | 'written'>,
): void {
  for (const { code, fields: names } of warnings) {
    if (code !== 'taken_over' || status === 'error') continue;
    for (const name of names) {
      const field = toField(name);
      if (!field || (status === 'ok' && !is_overwriting && written.has(field))) continue;
      fields[field].is_manual = false;
    }
  }
}

/**
 * A change whose result nobody received still reports manual edits made in parallel, and treats them as known
 * from then on, like one whose result arrives: the next change may overwrite the edits it does not touch.
 * Edits of fields it touches are refused, unless it is to overwrite them.
 */
export function mayTakeOver(
  { fields }: KnownListing,
  { is_overwriting }: Change,
  written: ReadonlyMap<Field, Value>,
): void {
  for (const field of FIELDS) {
    if (fields[field].is_manual && (is_overwriting || !written.has(field))) noteReported(fields[field]);
  }
}

/**
 * For a change without a key that was repeated after a lost answer, or one whose caller has left: nobody
 * receives its report. Photos that someone removed while it sends others may be reported as its own change.
 */
export function noteUnreceived({ listings }: KnownSale, change: Change): void {
  for (const listing of listings) {
    const written = listWritten(listing, change, { wanted: undefined, result: undefined });
    mayTakeOver(listing, change, new Map([...written].filter(([field]) => !isMedia(field))));
  }
}
