import { levelPrices, spreadPrices } from './variations/priced_by.js';
import {
  listAllCurrencies,
  MOST_OPTIONS,
  MOST_ROWS,
  readLines,
  readOptions,
  readPhotos,
  readRows,
  writeKey,
  writePhotos,
  writeRows,
  type Option,
  type Row,
  type Scope,
  type Values,
} from './values.js';

/**
 * Applies a button of the form to its fields; the page is then shown again with them. Any other button, and
 * therefore pressing Enter in a field, only updates the table of combinations.
 */
export function applyStep(values: Values, step: string, scope: Scope): void {
  const [name, rest] = split(step);
  spreadPrices(values, scope);
  if (name === 'photo-up') movePhoto(values, rest, (place) => place - 1);
  else if (name === 'photo-down') movePhoto(values, rest, (place) => place + 1);
  else if (name === 'photo-main') movePhoto(values, rest, () => 0);
  else if (name === 'photo-remove') removePhoto(values, rest);
  else if (name === 'file-remove') removeFile(values, 'digital', rest);
  else if (name === 'video-remove') removeFile(values, 'video', rest);
  else if (name === 'option-add') addOption(values);
  else if (name === 'option-remove') removeOption(values, Number(rest));
  splitValues(values);
  updateRows(values, scope);
  levelPrices(values, scope);
  if (name === 'fill') fillColumn(values, scope);
}

/** The action, and its object: `photo-up service-upload://…`. */
function split(step: string): [string, string] {
  const space = step.indexOf(' ');
  return space === -1 ? [step, ''] : [step.slice(0, space), step.slice(space + 1)];
}

function movePhoto(values: Values, url: string, to: (place: number) => number): void {
  const photos = readPhotos(values);
  const place = photos.findIndex((photo) => photo.url === url);
  const [photo] = photos.splice(place, place === -1 ? 0 : 1);
  if (!photo) return;
  photos.splice(Math.max(0, to(place)), 0, photo);
  writePhotos(values, photos);
}

function removePhoto(values: Values, url: string): void {
  writePhotos(
    values,
    readPhotos(values).filter((photo) => photo.url !== url),
  );
}

function removeFile(values: Values, name: string, url: string): void {
  const rest = values.getAll(name).filter((known) => known !== url);
  values.delete(name);
  for (const known of rest) values.append(name, known);
}

function addOption(values: Values): void {
  if (values.getAll('option_name').length >= MOST_OPTIONS) return;
  values.append('option_name', '');
  values.append('option_values', '');
  values.append('option_scale', '');
}

function removeOption(values: Values, index: number): void {
  values.delete('priced_by');
  for (const name of ['option_name', 'option_values', 'option_scale']) {
    const rest = values.getAll(name).filter((_, place) => place !== index);
    values.delete(name);
    for (const value of rest) values.append(name, value);
  }
}

/** Splits a single line, such as `Small, Medium, Large`, for an option without rows. `0,5 l` is one value. */
function splitValues(values: Values): void {
  const rows = readRows(values, []);
  const lists = values.getAll('option_values').map((text, place) => {
    const isNew = rows.every(({ key }) => key[place] === undefined);
    const [only = '', ...others] = readLines(text);
    if (!isNew || others.length > 0) return text;
    return readLines(only.replaceAll(/(?<!\d),|,(?!\d)/g, '\n')).join('\n');
  });
  values.delete('option_values');
  for (const list of lists) values.append('option_values', list);
}

/**
 * Rebuilds the rows from the options. A row keeps its values if its combination stays, and also if an
 * option's value was renamed in place; if the number of options changes, the first row with the same values
 * provides them.
 */
export function updateRows(values: Values, scope: Scope): void {
  const currencies = listAllCurrencies(scope);
  const options = readOptions(values);
  // The rows wait for the values of a new option.
  if (options.some((option) => option.values.length === 0)) return;
  const before = readRows(values, currencies);
  const renamed = options.map((option, place) => listRenamed(option, place, before));
  const known = new Map(
    before.map((row) => [writeKey(row.key.map((value, place) => renamed[place]?.get(value) ?? value)), row]),
  );
  const rows = listCombinations(options).map((key): Row => {
    const found = known.get(writeKey(key)) ?? findPart(key, before, options.length);
    return found
      ? { ...found, key }
      : { key, is_on: true, prices: new Map<string, string>(), stock: '', sku: '' };
  });
  writeRows(values, rows, currencies);
}

/** Pairs removed values with the new ones in their places, if the same number was removed and added. */
function listRenamed({ values }: Option, place: number, before: readonly Row[]): Map<string, string> {
  const was = [...new Set(before.flatMap(({ key }) => key[place] ?? []))];
  const gone = was.filter((value) => !values.includes(value));
  const added = values.filter((value) => !was.includes(value));
  if (gone.length !== added.length || was.length !== values.length) return new Map();
  return new Map(gone.map((value, index) => [value, added[index] ?? value]));
}

function findPart(key: readonly string[], before: readonly Row[], count: number): Row | undefined {
  return before.find((row) => row.key.length !== count && row.key.every((value) => key.includes(value)));
}

/** The last option changes fastest. */
function listCombinations(options: readonly Option[]): string[][] {
  if (options.length === 0) return [];
  return options
    .reduce<string[][]>(
      (found, { values }) => found.flatMap((key) => values.map((value) => [...key, value])),
      [[]],
    )
    .slice(0, MOST_ROWS);
}

/** Fills the rows with a pasted column, from the first one. */
function fillColumn(values: Values, scope: Scope): void {
  const currencies = listAllCurrencies(scope);
  const column = values.get('fill_column') ?? '';
  const lines = (values.get('fill_text') ?? '').trimEnd().split(/\r?\n/);
  const rows = readRows(values, currencies).map((row, index): Row => {
    const text = lines[index]?.split('\t')[0]?.trim();
    if (text === undefined || text === '') return row;
    if (column === 'stock' || column === 'sku') return { ...row, [column]: text };
    return currencies.includes(column) ? { ...row, prices: new Map(row.prices).set(column, text) } : row;
  });
  writeRows(values, rows, currencies);
  values.delete('fill_text');
}
