import { getDecimals } from '../../core/listings/rules/money.js';

const FORMATS = [0, 2].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/** A price in one shop. `has_several_prices`: buyers choose among several, and this is the lowest. */
type ShopPrice = {
  price: number | null;
  currency_code: string | null | undefined;
  has_several_prices?: boolean | undefined;
};

/**
 * `24.50 EUR`, with the marketplace's number of decimals. The currency of a shop that is not connected is
 * unknown.
 */
export function formatPrice(amount: number, currency_code: string | null | undefined): string {
  return `${formatAmount(amount, currency_code)} ${isCurrency(currency_code) ? currency_code : 'in the shop’s currency'}`;
}

/**
 * `24.50 USD · From 19.00 EUR`: for each currency, the price or the range over its shops. Undefined if no
 * shop has a price.
 */
export function formatPrices(shops: readonly ShopPrice[]): string | undefined {
  const codes = new Set(shops.map(({ currency_code }) => currency_code ?? ''));
  const prices = [...codes].flatMap((code) => {
    const own = shops.filter(({ currency_code }) => (currency_code ?? '') === code);
    const prices = own.flatMap(({ price }) => price ?? []);
    if (prices.length === 0) return [];
    const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
    if (own.some(({ has_several_prices }) => has_several_prices)) return `From ${formatPrice(lowest, code)}`;
    if (lowest === highest) return formatPrice(lowest, code);
    return `${formatAmount(lowest, code)} to ${formatPrice(highest, code)}`;
  });
  return prices.length === 0 ? undefined : prices.join(' · ');
}

function formatAmount(amount: number, currency_code: string | null | undefined): string {
  const format = FORMATS[isCurrency(currency_code) && getDecimals(currency_code) === 0 ? 0 : 1];
  return format?.format(amount) ?? String(amount);
}

function isCurrency(currency_code: string | null | undefined): currency_code is string {
  return typeof currency_code === 'string' && /^[A-Z]{3}$/.test(currency_code);
}
