import { getMedian, getShare } from './numbers.mjs';

/**
 * The measurements of one thing and of its reference, both in the same number of rounds.
 *
 * @typedef {object} Line
 * @property {string} what
 * @property {string} against
 * @property {string} unit
 * @property {number[]} ours
 * @property {number[]} reference
 * @property {{ most?: number, least?: number, most_more?: number, is_difference?: boolean }} target of ours ÷ reference;
 *   `most_more`: of ours − reference; without any of them, the line is only shown, as a difference if `is_difference`
 * @property {boolean} [needs_quiet] clock time, which other load on the machine lengthens
 * @property {{ name: string, values: number[] }} [alongside] something else measured in the same rounds, shown with its own ratio
 * @property {string} [details] what was done, for the list under the table
 * @property {string} [engine] the engine it was measured on; SQLite by default. A line on another engine is shown in the row of
 *   the line on SQLite
 * @property {number} [most_of_sqlite] on another engine: the highest allowed ratio to the value on SQLite
 */

const HEAD = ['What', 'Ours', 'Against', 'Ratio (10 to 90 %)', 'Target', ''];
const OTHER_HEAD = ['On PostgreSQL', ''];
const isOther = ({ engine }) => engine !== undefined && engine !== 'SQLite';
/** A machine may change its speed during a run; adjacent rounds remain comparable. */
const MIDDLES =
  'All values are medians of the rounds. The ratio is the median of the ratios of adjacent rounds.';
const QUIET =
  '\\* Clock time, which is meaningful only on a quiet machine. All other rows are processor time or memory.';

const OTHER =
  'On PostgreSQL each row is compared with the same reference, and includes the processor time of the server. Rows with × SQLite are compared with SQLite, measured in turn.';

/** @param {Line[]} lines */
export function buildReport(lines) {
  const others = new Map(lines.filter(isOther).map((line) => [line.what, line]));
  const own = lines.filter((line) => !isOther(line));
  const hasOthers = others.size > 0;
  const rows = own.map((line) => [
    ...toRow(line),
    ...(hasOthers ? toOtherCells(others.get(line.what), line) : []),
  ]);
  const table = buildTable([...HEAD, ...(hasOthers ? OTHER_HEAD : [])], rows);
  const notes = [
    ...(hasOthers ? [OTHER] : []),
    ...(lines.some(({ needs_quiet }) => needs_quiet) ? [QUIET] : []),
  ];
  return [table, MIDDLES, ...notes, ...listDetails(lines)].join('\n\n');
}

/** @param {Line[]} lines */
function listDetails(lines) {
  const listed = lines.filter((line) => line.details && !isOther(line));
  return listed.length === 0 ? [] : [listed.map(({ what, details }) => `- ${what}: ${details}.`).join('\n')];
}

/**
 * The cells of a line on another engine: its value, and whether that meets the target. Empty if it was not
 * measured.
 *
 * @param {Line | undefined} line
 * @param {Line} on_sqlite
 */
function toOtherCells(line, on_sqlite) {
  if (!line) return ['', ''];
  const { unit, ours, target, most_of_sqlite } = line;
  const amount = `${format(getMedian(ours))} ${unit}`;
  if (most_of_sqlite !== undefined) {
    const of_sqlite = getMedian(ours.map((value, round) => value / on_sqlite.ours[round]));
    const wanted = `${format(of_sqlite)} × SQLite (≤ ${most_of_sqlite})`;
    return [`${amount}: ${wanted}`, of_sqlite <= most_of_sqlite ? 'met' : 'missed'];
  }
  const middle = getMedian(compareRounds(line));
  return [`${amount}: ${format(middle)}`, judge(middle, target)];
}

/** @param {Pick<Line, 'ours' | 'reference' | 'target'>} line */
function compareRounds({ ours, reference, target }) {
  const compare = (a, b) => (isDifference(target) ? a - b : a / b);
  return ours.map((value, round) => compare(value, reference[round]));
}

/** @param {Line['target']} target */
function isDifference({ is_difference, most_more }) {
  return is_difference ?? most_more !== undefined;
}

/** @param {Line} line */
function toRow({ what, against, unit, ours, reference, target, needs_quiet, alongside }) {
  const isDelta = isDifference(target);
  const toRatios = (all) => compareRounds({ ours: all, reference, target });
  const values = toRatios(ours);
  const middle = getMedian(values);
  const tell = (value) =>
    `${isDelta ? (value < 0 ? '− ' : '+ ') : ''}${format(isDelta ? Math.abs(value) : value)}`;
  const other = alongside ? `; ${alongside.name} ${tell(getMedian(toRatios(alongside.values)))}` : '';
  const spread = `${format(getShare(values, 0.1))} to ${format(getShare(values, 0.9))}`;
  return [
    needs_quiet ? `${what} \\*` : what,
    `${format(getMedian(ours))} ${unit}`,
    `${against}: ${format(getMedian(reference))}`,
    `${tell(middle)} (${spread})${other}`,
    describeTarget(target),
    judge(middle, target),
  ];
}

function describeTarget({ most, least, most_more }) {
  if (most !== undefined) return `≤ ${most}`;
  if (least !== undefined) return `≥ ${least}`;
  if (most_more !== undefined) return `≤ + ${most_more}`;
  return '';
}

function judge(value, { most, least, most_more }) {
  const limit = most ?? most_more;
  if (limit !== undefined) return value <= limit ? 'met' : 'missed';
  if (least !== undefined) return value >= least ? 'met' : 'missed';
  return '';
}

function format(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(size >= 10 ? 1 : 2);
}

/** A table in Markdown, formatted as prettier does. */
export function buildTable(head, rows) {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => row[column].length)),
  );
  const toLine = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join('\n');
}
