import { toNumberOrNull, type Wire } from './read.js';

/** `{amount, divisor, currency_code}` in major units; null when it is not that. */
export function toPrice(money: unknown): { price: number; currency_code: string } | null {
  if (money === null || typeof money !== 'object') return null;
  const { amount, divisor, currency_code } = money as Wire;
  const units = toNumberOrNull(amount);
  const per_unit = toNumberOrNull(divisor);
  if (units === null || per_unit === null || per_unit <= 0) return null;
  return { price: units / per_unit, currency_code: typeof currency_code === 'string' ? currency_code : '' };
}

/** The same as a decimal string with as many decimals as the divisor has zeros. */
export function toDecimal(money: unknown): { cost: string; currency_code: string } | null {
  const found = toPrice(money);
  if (!found) return null;
  const decimals = Math.round(Math.log10(Number((money as Wire)['divisor'])));
  return { cost: found.price.toFixed(Math.max(0, decimals)), currency_code: found.currency_code };
}
