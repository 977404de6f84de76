import type { Cell } from './table.js';

/** A price without the sign or code of its currency: `$21.00`, `21.00 USD`. Other texts stay unchanged. */
export function dropCurrency(cell: Cell | undefined, currency: string): Cell | undefined {
  if (typeof cell !== 'string' || /^[\d.,]*$/.test(cell)) return cell;
  const text = cell.trim();
  for (const sign of getSigns(currency.trim())) {
    const rest = text.startsWith(sign)
      ? text.slice(sign.length).trim()
      : text.endsWith(sign)
        ? text.slice(0, -sign.length).trim()
        : '';
    if (/^\d/.test(rest)) return rest;
  }
  return cell;
}

const SIGNS = new Map<string, string[]>();

/** `CA$`, `$`, `CAD` */
function getSigns(currency: string): string[] {
  if (!/^[A-Z]{3}$/.test(currency)) return [];
  const signs = SIGNS.get(currency) ?? listSigns(currency);
  SIGNS.set(currency, signs);
  return signs;
}

function listSigns(currency: string): string[] {
  return (['symbol', 'narrowSymbol', 'code'] as const).flatMap((currencyDisplay) => {
    const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).flatMap(({ type, value }) => (type === 'currency' ? value : []));
  });
}
