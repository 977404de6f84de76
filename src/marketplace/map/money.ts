import { UnreadableError, type WireMoney } from './wire.js';

/** The amount in major units. The division returns the same number as parsing the decimal notation. */
export function toPrice({ amount, divisor }: WireMoney): number {
  return amount / divisor;
}

/**
 * `4.50`: as many decimals as the divisor has zeros. Throws UnreadableError if the divisor is not a power of
 * ten.
 */
export function toDecimal({ amount, divisor }: WireMoney): string {
  const decimals = Math.round(Math.log10(divisor));
  if (10 ** decimals !== divisor) throw new UnreadableError('a price whose divisor is not a power of ten');
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = amount < 0 ? '-' : '';
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`;
}
