import { getDecimals, MIN_PRICE } from '../../listings/rules/money.js';

/** Steps of a rounded price, in hundredths: every `step`, starting at `offset`. */
type Rounding = { step: bigint; offset: bigint };

/** The ways to round, by the name in `round_to`. */
const WITH_DECIMALS: Record<string, Rounding> = {
  '0.01': { step: 1n, offset: 0n },
  '0.05': { step: 5n, offset: 0n },
  '0.10': { step: 10n, offset: 0n },
  '1': { step: 100n, offset: 0n },
  'x.90': { step: 100n, offset: 90n },
  'x.95': { step: 100n, offset: 95n },
  'x.99': { step: 100n, offset: 99n },
};
const WITHOUT_DECIMALS: Record<string, Rounding> = {
  '1': { step: 100n, offset: 0n },
  '10': { step: 1_000n, offset: 0n },
  '100': { step: 10_000n, offset: 0n },
};

export const ROUNDINGS = [...new Set([...Object.keys(WITH_DECIMALS), ...Object.keys(WITHOUT_DECIMALS)])];

/** The roundings that a currency supports. */
export function listRoundings(currency_code: string): string[] {
  return Object.keys(getRoundings(currency_code));
}

function getRoundings(currency_code: string): Record<string, Rounding> {
  return getDecimals(currency_code) === 0 ? WITHOUT_DECIMALS : WITH_DECIMALS;
}

/** A price in hundredths, as a fraction: decimal arithmetic, so that 10 percent of 19.95 is 1.995. */
type Fraction = { numerator: bigint; denominator: bigint };

/** The precision of percentages and amounts. */
const SCALE = 1_000_000;

export function increaseByPercent(price: number, percent: number): Fraction {
  const scaled = BigInt(Math.round(percent * SCALE));
  const hundred = 100n * BigInt(SCALE);
  return { numerator: toHundredths(price) * (hundred + scaled), denominator: hundred };
}

export function increaseByAmount(price: number, amount: number): Fraction {
  const scale = BigInt(SCALE);
  const added = BigInt(Math.round(amount * SCALE)) * 100n;
  return { numerator: toHundredths(price) * scale + added, denominator: scale };
}

/** Rounds to the nearest step, half up, and never below the marketplace's minimum. */
export function roundPrice(
  { numerator, denominator }: Fraction,
  currency_code: string,
  round_to: string | undefined,
): number {
  const finest = getDecimals(currency_code) === 0 ? '1' : '0.01';
  const { step, offset } = getRoundings(currency_code)[round_to ?? finest] ?? FINEST;
  const steps = floorDivide(
    2n * (numerator - offset * denominator) + step * denominator,
    2n * step * denominator,
  );
  const least = toHundredths(getDecimals(currency_code) === 0 ? Math.max(1, MIN_PRICE) : MIN_PRICE);
  const rounded = steps * step + offset;
  const missing = least - rounded;
  const raised = missing > 0n ? rounded + ((missing + step - 1n) / step) * step : rounded;
  return Number(raised) / 100;
}

const FINEST: Rounding = { step: 1n, offset: 0n };

function toHundredths(price: number): bigint {
  return BigInt(Math.round(price * 100));
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
