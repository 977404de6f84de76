import { FIELDS, isMedia, toField, type Field, type Value } from './fields.js';
import { tell, type Change, type KnownListing, type KnownSale } from './known.js';
import type { Done } from './done.js';
import { listWritten } from './written.js';

/**
 * Manual edits that a change adopts in passing. A field that was written at the same time is not one of them: the edit is gone. A change
 * that failed adopts nothing.
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
      fields[field].is_by_hand = false;
    }
  }
}

/**
 * A change that no one heard the end of tells what other hands did beside it all the same, and has it for known from then on, as one does
 * that is heard: what it does not touch may be written over by the next. What it touches itself it refuses, unless it is to write over it.
 */
export function mayTakeOver(
  { fields }: KnownListing,
  { is_overwriting }: Change,
  written: ReadonlyMap<Field, Value>,
): void {
  for (const field of FIELDS) {
    if (fields[field].is_by_hand && (is_overwriting || !written.has(field))) tell(fields[field]);
  }
}

/**
 * A change without a key that was asked for again, as its first answer was lost, or one whose caller has gone: what it tells no one
 * hears. Photos that were taken away by hand while it sends others may be told as its own.
 */
export function noteUnheard({ listings }: KnownSale, change: Change): void {
  for (const listing of listings) {
    const written = listWritten(listing, change, { wanted: undefined, result: undefined });
    mayTakeOver(listing, change, new Map([...written].filter(([field]) => !isMedia(field))));
  }
}
