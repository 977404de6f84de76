const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 };
const MAX_MS = 3_650 * 24 * 60 * 60_000;

/** Of minutes, hours or days, such as 90m, 12h or 30d; at most ten years. Throws an Error that says so. */
export function parseDuration(text: string, flag: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([mhd])$/.exec(text) ?? [];
  const duration_ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (duration_ms > 0 && duration_ms <= MAX_MS) return duration_ms;
  throw new Error(
    `${flag} must be minutes, hours or days, such as 90m, 12h or 30d, up to 3650d; not ${text}.`,
  );
}
