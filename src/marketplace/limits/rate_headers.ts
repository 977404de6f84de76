import type { HttpAnswer } from '../http/http.js';

/** An answer's information about the limits of the application's key; undefined where it has none. */
export type RateReading = {
  per_second: number | undefined;
  /** Calls left in the second in which this one arrived, after this one. */
  remaining_this_second: number | undefined;
  per_day: number | undefined;
  remaining_today: number | undefined;
};

export function readRateHeaders({ findHeader }: HttpAnswer): RateReading {
  return {
    per_second: toCount(findHeader('x-limit-per-second')),
    // The documentation spells this header without its last letter. It is unknown which of the two is sent,
    // so both are read.
    remaining_this_second: toCount(
      findHeader('x-remaining-this-second') ?? findHeader('x-remaining-this-secon'),
    ),
    per_day: toCount(findHeader('x-limit-per-day')),
    remaining_today: toCount(findHeader('x-remaining-today')),
  };
}

function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}
