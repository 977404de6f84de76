/*
 * The names of when_made by the calendar: those of the document of 2026-09-26, and by the same pattern of other years. The product
 * computes its own; see choices.ts.
 */
const OLD = '1990s 1980s 1970s 1960s 1950s 1940s 1930s 1920s 1910s 1900s 1800s 1700s before_1700'.split(' ');

export function listPeriods(year: number): string[] {
  const decade = year - (year % 10);
  const vintage = year - 19;
  const split = vintage - (vintage % 10);
  const whole = [];
  for (let from = decade - 10; from > split; from -= 10) whole.push(`${from}_${from + 9}`);
  const parts =
    vintage === split
      ? [`${split}_${split + 9}`, `before_${vintage}`, `${split - 10}_${split - 1}`]
      : [`${vintage}_${split + 9}`, `before_${vintage}`, `${split}_${vintage - 1}`];
  const earlier = split > 2000 && vintage !== split ? [`${split - 10}_${split - 1}`] : [];
  return ['made_to_order', `${decade}_${year}`, ...whole, ...parts, ...earlier, ...OLD];
}

/** The periods of things that are not vintage: those before `before_…`. */
export function isRecent(period: string, year: number): boolean {
  const periods = listPeriods(year);
  const vintage_from = periods.findIndex((one) => one.startsWith('before_'));
  return periods.indexOf(period) < vintage_from;
}
