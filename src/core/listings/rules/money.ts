import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';

export const MIN_PRICE = MARKETPLACE_FACTS.price_min;

export function getDecimals(currency_code: string): number {
  const without: readonly string[] = MARKETPLACE_FACTS.currencies_without_decimals;
  return without.includes(currency_code) ? 0 : 2;
}

/** Whether a price has no more decimals than allowed. Ignores errors of binary fractions (0.1 + 0.2). */
export function hasDecimals(price: number, decimals: number): boolean {
  return Math.abs(price - roundTo(price, decimals)) <= 8 * Number.EPSILON * Math.max(1, Math.abs(price));
}

export function roundTo(price: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(price * factor) / factor;
}

export function roundPrice(price: number, currency_code: string): number {
  return roundTo(price, getDecimals(currency_code));
}
