import { Time } from '../../pages/index.js';

const FORMAT = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
/** Widest first. */
const UNITS = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** How long ago a time was, with the time itself. @param at ISO 8601 */
export function Age({ at, now }: { at: string; now: Date }) {
  return (
    <>
      {describeAge(at, now)} (<Time at={at} />)
    </>
  );
}

/** `3 days ago`; `just now` within the first minute. */
export function describeAge(at: string, now: Date): string {
  const age_ms = now.getTime() - Date.parse(at);
  const [unit, length_ms] = UNITS.find(([, length_ms]) => age_ms >= length_ms) ?? [];
  return unit === undefined ? 'just now' : FORMAT.format(-Math.floor(age_ms / length_ms), unit);
}
