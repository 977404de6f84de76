import type { CategorySchema } from '../../../../../schemas/category.js';
import type { ConnectedShop } from '../../../../core/ports/index.js';

/**
 * The editor's form as a browser sends it. All of its state is in its fields, so that it works without
 * scripts.
 */
export type Values = URLSearchParams;

/** The options that the form offers. */
export type Scope = {
  shops: readonly ConnectedShop[];
  /** Undefined until a category is chosen, or if it cannot be read. */
  category: CategorySchema | undefined;
};

/** Problems by the id of the field that shows them. */
export type Problems = ReadonlyMap<string, readonly string[]>;

/** An option that buyers choose, such as Size. */
export type Option = { name: string; values: string[]; scale: string };

/** A combination of options. `key`: its values in the order of the options. */
export type Row = {
  key: string[];
  is_on: boolean;
  /** As typed, by currency. */
  prices: ReadonlyMap<string, string>;
  stock: string;
  sku: string;
};

export const MOST_OPTIONS = 2;
/** A longer table cannot be edited in a browser. */
export const MOST_ROWS = 400;

/** Names of fields that belong to one shop. */
export const shopField = {
  shipping: (shop_id: number) => `shipping_${shop_id}`,
  returns: (shop_id: number) => `returns_${shop_id}`,
  processing: (shop_id: number) => `processing_${shop_id}`,
  section: (shop_id: number) => `section_${shop_id}`,
  partners: (shop_id: number) => `partners_${shop_id}`,
  price: (shop_id: number) => `price_in_${shop_id}`,
};

export function read(values: Values, name: string): string {
  return (values.get(name) ?? '').replaceAll('\r\n', '\n');
}

export function readTrimmed(values: Values, name: string): string {
  return read(values, name).trim();
}

/** `mug, gift` */
export function readWords(values: Values, name: string): string[] {
  return read(values, name)
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** The shops that are ticked. */
export function listTicked(values: Values, { shops }: Scope): ConnectedShop[] {
  const ticked = new Set(values.getAll('shop'));
  return shops.filter(({ shop_id }) => ticked.has(String(shop_id)));
}

/** The currencies of the ticked shops; of all shops if none is ticked. */
export function listCurrencies(values: Values, scope: Scope): string[] {
  const ticked = listTicked(values, scope);
  const shops = ticked.length > 0 ? ticked : scope.shops;
  return [...new Set(shops.map(({ details }) => details.currency_code))];
}

/** Of all shops, ticked or not. */
export function listAllCurrencies({ shops }: Scope): string[] {
  return [...new Set(shops.map(({ details }) => details.currency_code))];
}

export function readOptions(values: Values): Option[] {
  const names = values.getAll('option_name');
  const lists = values.getAll('option_values');
  const scales = values.getAll('option_scale');
  return names.slice(0, MOST_OPTIONS).map((name, index) => ({
    name: name.trim(),
    values: readLines(lists[index] ?? ''),
    scale: scales[index] ?? '',
  }));
}

/** A pasted column has one line per value; of a pasted table, the first column counts. */
export function readLines(text: string): string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.split('\t')[0]?.trim() ?? '')
    .filter((line) => line !== '');
  return [...new Set(lines)];
}

/** The rows as typed, whatever the current options are. */
export function readRows(values: Values, currencies: readonly string[]): Row[] {
  const keys = values.getAll('row');
  const on = new Set(values.getAll('row_on'));
  const stocks = values.getAll('row_stock');
  const skus = values.getAll('row_sku');
  const prices = currencies.map((code) => [code, values.getAll(`row_price_${code}`)] as const);
  return keys.slice(0, MOST_ROWS).flatMap((text, index) => {
    const key = readKey(text);
    return key === undefined
      ? []
      : [
          {
            key,
            is_on: on.has(text),
            prices: new Map(prices.map(([code, given]) => [code, given[index] ?? ''])),
            stock: stocks[index] ?? '',
            sku: skus[index] ?? '',
          },
        ];
  });
}

export function writeKey(key: readonly string[]): string {
  return JSON.stringify(key);
}

function readKey(text: string): string[] | undefined {
  try {
    const key: unknown = JSON.parse(text);
    return Array.isArray(key) ? key.map(String) : undefined;
  } catch {
    return undefined;
  }
}

export function writeRows(values: Values, rows: readonly Row[], currencies: readonly string[]): void {
  const names = ['row', 'row_on', 'row_stock', 'row_sku', ...currencies.map((code) => `row_price_${code}`)];
  for (const name of names) values.delete(name);
  for (const { key, is_on, prices, stock, sku } of rows) {
    const text = writeKey(key);
    values.append('row', text);
    if (is_on) values.append('row_on', text);
    values.append('row_stock', stock);
    values.append('row_sku', sku);
    for (const code of currencies) values.append(`row_price_${code}`, prices.get(code) ?? '');
  }
}

/** Photos in their order, the main one first. */
export function readPhotos(values: Values): { url: string; alt: string }[] {
  const alts = values.getAll('photo_alt');
  return values.getAll('photo').map((url, index) => ({ url, alt: alts[index] ?? '' }));
}

export function writePhotos(values: Values, photos: readonly { url: string; alt: string }[]): void {
  values.delete('photo');
  values.delete('photo_alt');
  for (const { url, alt } of photos) {
    values.append('photo', url);
    values.append('photo_alt', alt);
  }
}
