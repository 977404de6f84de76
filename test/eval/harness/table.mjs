const FEE_USD = 0.2;
const COLUMNS = [
  ['Scenario', ({ name }) => name],
  ['Calls', ({ calls }) => calls],
  ['Tries', ({ tries }) => tries],
  ['Live', ({ live }) => live],
  ['Drafts', ({ drafts }) => drafts],
  ['Saved', ({ saved }) => saved],
  ['Duplicates', ({ duplicates }) => duplicates],
  ['Fees USD', ({ fees }) => (fees * FEE_USD).toFixed(2)],
  ['Outcome', ({ outcome }) => outcome],
];
const SUMS = ['calls', 'tries', 'live', 'drafts', 'saved', 'duplicates', 'fees'];

/** A row for each scenario and one for their sum. `tries`: all calls of listing_create and listing_publish. */
export function formatRows(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const met = rows.filter(({ is_met }) => is_met).length;
  const total = {
    ...Object.fromEntries(SUMS.map((key) => [key, sum(key)])),
    name: 'all',
    outcome: `${met} of ${rows.length} as meant`,
  };
  const cells = [...rows, total].map((row) => COLUMNS.map(([, read]) => String(read(row))));
  const table = [COLUMNS.map(([head]) => head), ...cells];
  const widths = COLUMNS.map((_, at) => Math.max(...table.map((row) => row[at].split('\n')[0].length)));
  const toLine = (row) =>
    row
      .map((cell, at) => cell.split('\n')[0].padEnd(widths[at]))
      .join('  ')
      .trimEnd();
  return `${table.map(toLine).join('\n')}\n`;
}
