/*
 * The periods of when_made, which the marketplace renames each January: the current one ends with the current year,
 * and items become vintage twenty years later. They are computed, so that no release has to know the current year.
 */

const FIXED = [
  '1990s',
  '1980s',
  '1970s',
  '1960s',
  '1950s',
  '1940s',
  '1930s',
  '1920s',
  '1910s',
  '1900s',
  '1800s',
  '1700s',
  'before_1700',
] as const;
const VINTAGE_AFTER_YEARS = 19;
/** The first year whose names are known, and the last year anyone will ask for. */
const [FIRST_YEAR, LAST_YEAR] = [2020, 2099];

/** The names valid in a year, in the marketplace's order. */
export function listWhenMade(year: number): string[] {
  const open_from = toDecade(year);
  const vintage = year - VINTAGE_AFTER_YEARS;
  const recent: string[] = [];
  for (let from = open_from - 10; from >= toDecade(vintage); from -= 10) {
    if (from + 9 >= vintage) recent.push(`${Math.max(from, vintage)}_${from + 9}`);
  }
  const old: string[] = [];
  for (let from = toDecade(vintage - 1); from >= 2000; from -= 10) {
    old.push(`${from}_${Math.min(from + 9, vintage - 1)}`);
  }
  return ['made_to_order', toOpenPeriod(year), ...recent, `before_${vintage}`, ...old, ...FIXED];
}

/** The period containing the year, under its name in that year. */
export function toOpenPeriod(year: number): string {
  return `${toDecade(year)}_${year}`;
}

/** Whether it is the name of a period in that period's last year. */
export function isOpenPeriod(value: string): boolean {
  const year = findLastYear(value) ?? 0;
  return year >= FIRST_YEAR && value === toOpenPeriod(year);
}

/** Whether it is valid in any year: an imported listing may have an older name, and the marketplace a newer one. */
export function isWhenMade(value: string): boolean {
  return ALL.has(value);
}

/** Whether an entire period is vintage: `before_2007` and `1990s` are, `2007_2009` is not. */
export function isVintage(when_made: string, year: number): boolean {
  if (when_made === 'made_to_order') return false;
  const last = findLastYear(when_made);
  return last === undefined || last < year - VINTAGE_AFTER_YEARS;
}

function findLastYear(period: string): number | undefined {
  const [, until] = /^\d{4}_(\d{4})$/.exec(period) ?? [];
  return until === undefined ? undefined : Number(until);
}

function toDecade(year: number): number {
  return Math.floor(year / 10) * 10;
}

const ALL: ReadonlySet<string> = new Set(
  Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index).flatMap(listWhenMade),
);
