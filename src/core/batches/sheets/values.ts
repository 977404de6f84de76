import { isCleanText } from '../../operations/json_text.js';
import { cleanForeign } from '../../text/foreign.js';
import { hasStackedMarks, normalize } from '../../text/normalize.js';
import type { SheetCell } from '../../ports/index.js';
import type { Editable } from './columns.js';
import { isProtected, unprotect } from './csv.js';
import { isConverted } from './sku.js';
import { toText, type Cell, type Problem } from './table.js';

const CLEAR = '[clear]';
const CLEARABLE: readonly Editable[] = ['tags', 'materials', 'section', 'sku'];

const FLAGS = new Map([
  ['yes', true],
  ['true', true],
  ['1', true],
  ['no', false],
  ['false', false],
  ['0', false],
]);

type Value = SheetCell['value'];
type Read = { value: Value } | { fault: Problem } | undefined;

/** The change that a cell makes to its column; undefined if it was not edited. @param isCsv its text may have a prefix */
export function readCell(column: Editable, cell: Cell | undefined, exported: string, isCsv: boolean): Read {
  const text = toText(cell);
  if (text.trim() === '') return undefined;
  if (typeof cell === 'object' && cell.is === 'formula') return FORMULA;
  if (text !== exported && hasStackedMarks(text)) return refuse(text, 'text without stacked accents');
  if (isSame(column, text, exported)) return undefined;
  if (text.startsWith('=')) return FORMULA;
  const given = toPlain(isCsv || isProtected(text) ? unprotect(text) : text);
  if (given.toLowerCase() === CLEAR) return clear(column, exported);
  if (!isCleanText(given)) return refuse(given, 'text without control characters');
  if (typeof cell === 'object' && cell.is === 'date' && KINDS[column] !== 'text') {
    return column === 'sku'
      ? toConverted(exported, given)
      : refuse(given, `${EXPECTED[column]}, and not a date`);
  }
  return parse(column, given, exported);
}

const FORMULA: Read = { fault: { code: 'sheet_formula', params: {} } };

type Kind = 'text' | 'list' | 'price' | 'count' | 'sku' | 'flag' | 'state';
const KINDS: Record<Editable, Kind> = {
  title: 'text',
  description: 'text',
  tags: 'list',
  materials: 'list',
  section: 'text',
  shipping_profile: 'text',
  processing_profile: 'text',
  price: 'price',
  quantity: 'count',
  sku: 'sku',
  offered: 'flag',
  state: 'state',
};

const EXPECTED: Partial<Record<Editable, string>> = {
  price: 'a price in the currency of this row, such as 24.50, without thousands separators',
  quantity: 'a whole number',
  offered: 'yes or no',
  state: 'active or inactive',
  tags: 'words with commas between them',
  materials: 'words with commas between them',
};

function parse(column: Editable, given: string, exported: string): Read {
  switch (KINDS[column]) {
    case 'list':
      return { value: toList(given) };
    case 'price':
      return /^\d+([.,]\d{1,2})?$/.test(given) ? { value: toNumber(given) } : refuse(given, EXPECTED.price);
    case 'count':
      return /^\d{1,9}$/.test(given) ? { value: Number(given) } : refuse(given, EXPECTED.quantity);
    case 'flag': {
      const flag = FLAGS.get(given.toLowerCase());
      if (exported === '') return refuse(given, 'blank, since the listing has no combinations');
      return flag === undefined ? refuse(given, EXPECTED.offered) : { value: flag };
    }
    case 'state': {
      const state = given.toLowerCase();
      return state === 'active' || state === 'inactive' ? { value: state } : refuse(given, EXPECTED.state);
    }
    case 'sku':
      return isConverted(exported, given) ? toConverted(exported, given) : { value: given };
    case 'text':
      return { value: normalize(given) };
  }
}

function clear(column: Editable, exported: string): Read {
  if (!CLEARABLE.includes(column)) {
    return { fault: { code: 'sheet_clear_refused', params: { columns: CLEARABLE } } };
  }
  return exported === '' ? undefined : { value: KINDS[column] === 'list' ? [] : null };
}

/** Whether two texts of a column are the same value, even if a spreadsheet program reformatted one. */
export function isSame(column: Editable, text: string, exported: string): boolean {
  if (text === exported && text !== '') return true;
  switch (KINDS[column]) {
    case 'price':
    case 'count':
      return toNumber(text) === toNumber(exported) && exported !== '';
    case 'flag':
      return FLAGS.get(text.trim().toLowerCase()) === FLAGS.get(exported) && exported !== '';
    case 'list':
      return [text, unprotect(text)].some((one) => isSameList(one, exported));
    case 'state':
      return text.trim().toLowerCase() === exported.trim().toLowerCase();
    default:
      return isSameText(text, exported);
  }
}

function isSameList(text: string, exported: string): boolean {
  return toList(toComparable(text)).join() === toList(toComparable(exported)).join();
}

/** Also true for text with the prefix of an export. */
export function isSameText(text: string, exported: string): boolean {
  if (text === exported) return true;
  const wanted = toComparable(exported);
  return toComparable(text) === wanted || toComparable(unprotect(text)) === wanted;
}

function toComparable(text: string): string {
  return normalize(toPlain(text));
}

function toPlain(text: string): string {
  return text.replace(/\r\n?/g, '\n').trim();
}

function toNumber(text: string): number {
  return Number(text.trim().replace(',', '.'));
}

function toList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function refuse(given: string, expected = ''): Read {
  return { fault: { code: 'sheet_value_wrong', params: { given: cleanForeign(given), expected } } };
}

function toConverted(exported: string, given: string): Read {
  return { fault: { code: 'sheet_sku_converted', params: { exported, given: cleanForeign(given) } } };
}
