import type { ShopResult } from '../../answers.js';
import { HIDDEN, isHidden, toField, toValue, UNKNOWN, type Field, type Value } from './fields.js';
import type { Change, Known, KnownListing } from './known.js';

export function listWritten(
  listing: KnownListing,
  { kind, value, values, stock }: Change,
  { wanted, result }: { wanted: Map<Field, Value> | undefined; result: ShopResult | undefined },
): Map<Field, Value> {
  const { fields } = listing;
  const late = listLate(listing, kind, result);
  switch (kind) {
    case 'title':
    case 'price':
    case 'photos':
    case 'video':
    case 'question':
    case 'files':
    case 'color':
    case 'other_price':
      return new Map([...late, [kind, value ?? '']]);
    case 'several':
      return new Map([...late, ...(values ?? [])]);
    case 'off':
      return new Map([['state', 'inactive']]);
    case 'on':
      return new Map([...late, ['state', 'active'], ...listStocked(fields, { stock, result })]);
    case 'undo': {
      if (!result || result.status === 'error') return new Map(wanted ?? []);
      const after = (result.diff ?? []).flatMap(({ field: name, after: shown }) => {
        const field = toField(name);
        const found = toValue(name, shown);
        return field && !isHidden(field) && found !== undefined ? [[field, found] as [Field, Value]] : [];
      });
      const hidden = HIDDEN.flatMap((field) => {
        const isTold = (result.diff ?? []).some(({ field: name }) => toField(name) === field);
        const was =
          result.status === 'ok' ? (wanted?.get(field) ?? (isTold ? UNKNOWN : undefined)) : undefined;
        if (was === undefined || (field === 'stock' && keepsStock(result))) return [];
        if (was === UNKNOWN) return [[field, was] as [Field, Value]];
        return [[field, field === 'files' ? keepFiles(String(was), fields.files) : was] as [Field, Value]];
      });
      return new Map([...after, ...hidden]);
    }
  }
}

/** Values of earlier changes that were kept until there was stock, and are written with this one. */
function listLate(
  { fields, pending }: KnownListing,
  kind: Change['kind'],
  result: ShopResult | undefined,
): [Field, Value][] {
  // A failed activation whose outcome could not be read may have written them.
  if (!result?.diff) return result && !(result.status === 'error' && kind === 'on') ? [] : [...pending];
  return result.diff.flatMap(({ field: name, after }): [Field, Value][] => {
    const field = toField(name);
    const value = toValue(name, after);
    if ((field !== 'price' && field !== 'other_price') || value === undefined) return [];
    return pending.get(field) === value || fields[field].allowed.has(value) ? [[field, value]] : [];
  });
}

/** If the listing is sold out, it has this much of each product from then on. */
function listStocked(
  { stock: known, state, is_offered }: KnownListing['fields'],
  { stock, result }: { stock: number | undefined; result: ShopResult | undefined },
): [Field, Value][] {
  const isWritten =
    result?.status === 'ok'
      ? (result.diff ?? []).some(({ field: name }) => toField(name) === 'stock')
      : state.allowed.has('sold_out');
  if (stock === undefined || !isWritten) return [];
  const [is = ''] = known.allowed;
  const [, second] = String(is).split(',');
  if (second === undefined) return [['stock', String(stock)]];
  if (is_offered.allowed.size !== 1 || is_offered.is_open) return [['stock', UNKNOWN]];
  // Products that are not offered keep their stock.
  return [['stock', `${stock},${is_offered.allowed.has('true') ? stock : second}`]];
}

/** The marketplace refuses to remove the last stock. */
function keepsStock({ warnings = [] }: ShopResult): boolean {
  return warnings.some(
    ({ code, fields }) => code === 'off_sale' && fields.some((name) => toField(name) === 'stock'),
  );
}

/** A removed file is lost, and at least one stays. */
function keepFiles(was: string, { allowed }: Known): string {
  const [is = ''] = allowed;
  const there = new Set(String(is).split(','));
  const left = was.split(',').filter((name) => there.has(name));
  return left.length > 0 ? left.join(',') : String(is);
}
