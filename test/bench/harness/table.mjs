import { getMedian, getShare } from './numbers.mjs';

/**
 * A thing that was measured, round by round, and the same of what it is held against, in as many rounds.
 *
 * @typedef {object} Line
 * @property {string} what
 * @property {string} against
 * @property {string} unit
 * @property {number[]} ours
 * @property {number[]} reference
 * @property {{ most?: number, least?: number, most_more?: number, is_difference?: boolean }} target of ours ÷ reference;
 *   `most_more`: of ours − reference; none of them: it is told only, as a difference if it is one
 * @property {boolean} [needs_quiet] time on the clock, which other work of the machine lengthens
 * @property {{ name: string, values: number[], is_limit?: boolean }} [beside] something else that was measured with them, told as
 *   its own ratio; `is_limit`: ours is to be below it
 * @property {string} [details] what was done, for the list under the table
 */

const HEAD = ['What', 'Ours', 'Against', 'Ratio (10 to 90 %)', 'Target', ''];
/** A machine may change its speed within a run; then rounds that were next to each other still compare. */
const MIDDLES =
  'All are middles of the rounds; so is the ratio, of what each round compares with its neighbour of the other kind.';
const QUIET =
  '\\* Time on the clock: means something on a quiet machine only. All else is processor time or memory.';

/** @param {Line[]} lines */
export function buildReport(lines) {
  const rows = lines.map((line) => toRow(line));
  const table = buildTable(HEAD, rows);
  const notes = lines.some(({ needs_quiet }) => needs_quiet) ? [QUIET] : [];
  return [table, MIDDLES, ...notes, ...listDetails(lines)].join('\n\n');
}

/** @param {Line[]} lines */
function listDetails(lines) {
  const told = lines.filter(({ details }) => details);
  return told.length === 0 ? [] : [told.map(({ what, details }) => `- ${what}: ${details}.`).join('\n')];
}

/** @param {Line} line */
function toRow({ what, against, unit, ours, reference, target, needs_quiet, beside }) {
  const is_difference = target.is_difference ?? target.most_more !== undefined;
  const compare = (a, b) => (is_difference ? a - b : a / b);
  const toRatios = (all) => all.map((value, round) => compare(value, reference[round]));
  const values = toRatios(ours);
  const middle = getMedian(values);
  const tell = (value) =>
    `${is_difference ? (value < 0 ? '− ' : '+ ') : ''}${format(is_difference ? Math.abs(value) : value)}`;
  const other = beside ? `; ${beside.name} ${tell(getMedian(toRatios(beside.values)))}` : '';
  const spread = `${format(getShare(values, 0.1))} to ${format(getShare(values, 0.9))}`;
  return [
    needs_quiet ? `${what} \\*` : what,
    `${format(getMedian(ours))} ${unit}`,
    `${against}: ${format(getMedian(reference))}`,
    `${tell(middle)} (${spread})${other}`,
    describeTarget(target),
    judge(middle, target, beside?.is_limit ? getMedian(toRatios(beside.values)) : Infinity),
  ];
}

function describeTarget({ most, least, most_more }) {
  if (most !== undefined) return `≤ ${most}`;
  if (least !== undefined) return `≥ ${least}`;
  if (most_more !== undefined) return `≤ + ${most_more}`;
  return '';
}

function judge(value, { most, least, most_more }, below) {
  if (value >= below) return 'missed';
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

/** A table in Markdown as prettier writes it. */
function buildTable(head, rows) {
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...rows.map((row) => row[column].length)),
  );
  const toLine = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [toLine(head), toLine(widths.map((width) => '-'.repeat(width))), ...rows.map(toLine)].join('\n');
}
