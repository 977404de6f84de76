import type { Problem } from '../problems.js';
import {
  listAllCurrencies,
  MOST_OPTIONS,
  readOptions,
  readRows,
  writeRows,
  type Row,
  type Scope,
  type Values,
} from '../values.js';

/* A listing with two options can have prices that vary by one of them. The form then has one price field for each
   value of that option, and saving copies it to the rows, which always have all prices. */

type PricedRow = Row & { place: number };
/** `rows`: those that are offered. */
type Group = { value: string; rows: [PricedRow, ...PricedRow[]] };

function listGroups(rows: readonly Row[], option: number): Group[] {
  const groups = new Map<string, Group>();
  rows.forEach((row, place) => {
    const value = row.key[option];
    if (!row.is_on || value === undefined || row.key.length !== MOST_OPTIONS) return;
    const known = groups.get(value);
    if (known) known.rows.push({ ...row, place });
    else groups.set(value, { value, rows: [{ ...row, place }] });
  });
  return [...groups.values()];
}

function toPrices({ prices }: Row): string {
  return JSON.stringify([...prices]);
}

function isLevel({ rows }: Group): boolean {
  return rows.every((row) => toPrices(row) === toPrices(rows[0]));
}

/**
 * The option that prices vary by, with its values; undefined if they vary by both. If the seller has not chosen,
 * the prices themselves decide.
 */
export function findPricedBy(values: Values, scope: Scope): { option: number; groups: Group[] } | undefined {
  if (readOptions(values).length !== MOST_OPTIONS) return undefined;
  const chosen = values.get('priced_by');
  const rows = readRows(values, listAllCurrencies(scope));
  const options = chosen === null ? [0, 1] : chosen === '' ? [] : [Number(chosen)];
  for (const option of options) {
    const groups = listGroups(rows, option);
    const leads = groups.map((group) => group.rows[0]);
    const isEvident = groups.some((group) => group.rows.length > 1) && new Set(leads.map(toPrices)).size > 1;
    if (groups.length > 0 && groups.every(isLevel) && (chosen !== null || isEvident))
      return { option, groups };
  }
  return undefined;
}

/** Copies the price of each value to its rows. */
export function spreadPrices(values: Values, scope: Scope): void {
  const currencies = listAllCurrencies(scope);
  const option = Number(values.get('value_option') ?? Number.NaN);
  const given = currencies.map((code) => [code, values.getAll(`value_price_${code}`)] as const);
  const places = new Map(values.getAll('value_of').map((value, place) => [value, place]));
  const rows = readRows(values, currencies).map((row): Row => {
    const place = places.get(row.key[option] ?? '');
    if (place === undefined || !row.is_on) return row;
    const typed = given.flatMap(([code, prices]): [string, string][] => {
      const price = prices[place];
      return price === undefined ? [] : [[code, price]];
    });
    return { ...row, prices: new Map([...row.prices, ...typed]) };
  });
  for (const name of ['value_option', 'value_of', ...currencies.map((code) => `value_price_${code}`)])
    values.delete(name);
  if (places.size > 0) writeRows(values, rows, currencies);
}

/** If prices vary by one option, copies the first price of each of its values to the value's other rows. */
export function levelPrices(values: Values, scope: Scope): void {
  const chosen = values.get('priced_by') ?? '';
  if (chosen === '') return;
  const currencies = listAllCurrencies(scope);
  const rows = readRows(values, currencies);
  for (const { rows: own } of listGroups(rows, Number(chosen))) {
    const prices = new Map(
      currencies.map((code) => [
        code,
        own.map((row) => row.prices.get(code) ?? '').find((price) => price.trim() !== '') ?? '',
      ]),
    );
    for (const { place, ...row } of own) rows[place] = { ...row, prices };
  }
  writeRows(values, rows, currencies);
}

/** Moves the problems of a value's rows to the price field of the value, each once. */
export function placePrices(problems: readonly Problem[], values: Values, scope: Scope): Problem[] {
  const { groups = [] } = findPricedBy(values, scope) ?? {};
  const leads = new Map(
    groups.flatMap(({ rows }) => rows.map(({ place }) => [String(place), rows[0].place] as const)),
  );
  const shown = new Set<string>();
  return problems.flatMap((problem) => {
    const parts = problem.field.split('_');
    const lead = leads.get(parts.pop() ?? '');
    if (parts.slice(0, 2).join('_') !== 'row_price' || lead === undefined) return [problem];
    const field = `${parts.join('_')}_${lead}`;
    if (shown.has(field)) return [];
    shown.add(field);
    return [{ ...problem, field }];
  });
}
