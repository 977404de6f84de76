import { MARKETPLACE_FACTS } from '../marketplace_facts.js';

export const MIN_PRICE = 0.2;

export function getDecimals(currency_code: string): number {
  const without: readonly string[] = MARKETPLACE_FACTS.currencies_without_decimals;
  return without.includes(currency_code) ? 0 : 2;
}

/** Whether a price has no more decimals than allowed. What binary fractions add (0.1 + 0.2) is no decimal. */
export function hasDecimals(price: number, decimals: number): boolean {
  const scaled = price * 10 ** decimals;
  return Math.abs(scaled - Math.round(scaled)) < 1e-6 * Math.max(1, Math.abs(scaled) * 1e-6);
}

export function roundPrice(price: number, currency_code: string): number {
  const factor = 10 ** getDecimals(currency_code);
  return Math.round(price * factor) / factor;
}
