import { getDecimals } from '../../core/listings/rules/money.js';

const FORMATS = [0, 2].map(
  (digits) => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);

/** `24.50 EUR` or `24.50` where the shop, and so the currency, is not known; decimals as the marketplace has them. */
export function formatPrice(amount: number, currency_code?: string): string {
  const text = formatAmount(amount, currency_code);
  return isCurrency(currency_code) ? `${text} ${currency_code}` : text;
}

/** `1,500 to 2,000 JPY` */
export function formatPriceRange(lowest: number, highest: number, currency_code?: string): string {
  return `${formatAmount(lowest, currency_code)} to ${formatPrice(highest, currency_code)}`;
}

function formatAmount(amount: number, currency_code: string | undefined): string {
  const format = FORMATS[isCurrency(currency_code) && getDecimals(currency_code) === 0 ? 0 : 1];
  return format?.format(amount) ?? String(amount);
}

function isCurrency(currency_code: string | undefined): currency_code is string {
  return currency_code !== undefined && /^[A-Z]{3}$/.test(currency_code);
}
