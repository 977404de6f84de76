import type { BatchCounts, BatchEdit, BatchesPage, BatchItemStatus } from '../../../../schemas/batch.js';
import { toFieldNoun, toFieldWords } from '../../../core/issues/field_words.js';
import { capitalize } from '../../../core/issues/words.js';
import { formatCount } from '../../../core/text/format_count.js';
import type { Tone } from '../../components/notice.js';

export type Batch = BatchesPage['batches'][number];

type Word = { tone: Tone; word: string };

const STATUS_WORDS: Record<Batch['status'], Word> = {
  planning: { tone: 'wait', word: 'Planning' },
  planned: { tone: 'idle', word: 'Not started' },
  running: { tone: 'wait', word: 'In progress' },
  paused: { tone: 'wait', word: 'Paused' },
  completed: { tone: 'ok', word: 'Done' },
  canceled: { tone: 'idle', word: 'Canceled' },
  expired: { tone: 'idle', word: 'Expired' },
  failed: { tone: 'bad', word: 'Failed' },
};

const ITEM_WORDS: Record<BatchItemStatus, Word> = {
  planned: { tone: 'wait', word: 'Will change' },
  waiting: { tone: 'wait', word: 'Waiting' },
  running: { tone: 'wait', word: 'In progress' },
  ok: { tone: 'ok', word: 'Changed' },
  error: { tone: 'bad', word: 'Failed' },
  refused: { tone: 'bad', word: 'Skipped' },
  unchanged: { tone: 'idle', word: 'Unchanged' },
  canceled: { tone: 'idle', word: 'Canceled' },
};

export function toStatusWord({ status, counts, started_at }: Batch): Word {
  if (status === 'canceled' && started_at === null) return { tone: 'idle', word: 'Discarded' };
  if (status === 'completed' && counts.error > 0)
    return { tone: 'bad', word: `Done, ${counts.error} failed` };
  return STATUS_WORDS[status];
}

/** Items of a discarded plan were not canceled; they never started. */
export function toItemWord(
  item_status: BatchItemStatus,
  { started_at, undoes }: Pick<Batch, 'started_at' | 'undoes'>,
): Word {
  if (item_status === 'canceled' && started_at === null) return { tone: 'idle', word: 'Not started' };
  if (item_status === 'ok' && undoes !== undefined) return { tone: 'ok', word: 'Restored' };
  return ITEM_WORDS[item_status];
}

/** Whether it continues without another step by the seller. */
export function isMoving({ status }: Pick<Batch, 'status'>): boolean {
  return status === 'planning' || status === 'running' || status === 'paused';
}

/**
 * `Prices +10 %, tags added: gift · Stoneware mug`
 * @param undone the batch that this batch undoes
 * @param listing the title of its only listing
 */
export function toTitle(batch: Batch, undone?: Batch, listing?: string): string {
  return `${toKind(batch, undone)}${listing === undefined ? '' : ` · ${listing}`}`;
}

function toKind({ edits, undoes }: Batch, undone?: Batch): string {
  if (undoes !== undefined) return undone ? `Undo: ${toKind(undone)}` : 'Undo a change';
  if (!edits) return 'Edits from a spreadsheet';
  const phrases = [...new Set(edits.map((edit) => toPhrase(edit, edits)))];
  const shown = phrases.slice(0, MOST_PHRASES).join(', ');
  const rest = phrases.length - MOST_PHRASES;
  return capitalize(rest > 0 ? `${shown}, and ${rest} more` : shown);
}

const MOST_PHRASES = 3;
const MOST_CHARS = 40;

/** `40 listings in 2 shops` */
export function toExtent({ listings, shops }: Pick<BatchCounts, 'listings' | 'shops'>): string {
  return `${formatCount(listings, 'listing')} in ${formatCount(shops, 'shop')}`;
}

/** `38 changed, 2 failed`, or `38 restored` by an undo; each counts one listing in one shop. */
export function toResult({ counts, undoes }: Pick<Batch, 'counts' | 'undoes'>): string {
  const parts: [number, string][] = [
    [counts.ok, undoes === undefined ? 'changed' : 'restored'],
    [counts.error, 'failed'],
    [counts.canceled, 'canceled'],
    [counts.waiting, 'remaining'],
    [counts.unchanged, 'unchanged'],
    [counts.refused, 'skipped'],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return shown.length > 0 ? shown.join(', ') : 'nothing changed';
}

/** `$0.40` */
export function toMoney(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function toPhrase(edit: BatchEdit, all: readonly BatchEdit[]): string {
  const { field, op, value, currency, find, with: by, where } = edit;
  const only = where === undefined ? '' : ' of some variations';
  switch (field) {
    case 'price': {
      // One edit for each currency counts as one change, unless the numbers differ.
      const isSame =
        op === 'increase_percent' && all.every((one) => one.field !== field || one.value === value);
      const of = currency === undefined || isSame ? '' : ` in ${currency}`;
      if (op === 'set') return `prices${of}${only} set to ${toWords(value)}`;
      return `prices${of}${only} ${toSigned(value)}${op === 'increase_percent' ? '%' : ''}`;
    }
    case 'quantity':
      return op === 'set' ? `stock${only} set to ${toWords(value)}` : `stock${only} ${toSigned(value)}`;
    case 'state':
      return op === 'inactive' ? 'deactivate' : 'activate';
    case 'copy':
      return 'copy to another shop';
    case 'images':
      return op === 'set_alt_text' ? 'photo alt text' : `photos ${op === 'remove' ? 'removed' : 'added'}`;
    case 'who_when_made':
      return 'who made it and when';
    case 'any':
      return `edit ${listNames(value).join(', ')}`;
    default:
      return toTextPhrase(toFieldWords(field), { op, value, find, with: by });
  }
}

function toTextPhrase(
  name: string,
  { op, value, find, with: by }: Pick<BatchEdit, 'op' | 'value' | 'find' | 'with'>,
): string {
  switch (op) {
    case 'prepend':
      return `${toWords(value)} before the ${name}`;
    case 'append':
      return `${toWords(value)} after the ${name}`;
    case 'replace':
      return `${toWords(find)} replaced with ${toWords(by)} in the ${name}`;
    case 'add':
      return `${name} added: ${toWords(value)}`;
    case 'remove':
      return `${name} removed: ${toWords(value)}`;
    default:
      return value === null ? `${name} removed` : `${name} set to ${toWords(value)}`;
  }
}

function toWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return String(value);
  const text = Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? `“${value}”`
      : 'new values';
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
}

/** `+10`, `−5` */
function toSigned(value: unknown): string {
  const number = Number(value);
  return number < 0 ? `−${Math.abs(number)}` : `+${number}`;
}

/** The fields of a merge patch, those of single shops included. */
function listNames(changes: unknown): string[] {
  if (typeof changes !== 'object' || changes === null) return ['fields'];
  const names = Object.entries(changes).flatMap(([name, value]): string[] => {
    if (name === 'shops' && Array.isArray(value)) {
      return value.flatMap(listNames);
    }
    return name === 'listing' || name === 'overrides'
      ? listNames(value)
      : name === 'shop_id'
        ? []
        : [toFieldNoun(name)];
  });
  return [...new Set(names)];
}
