/* How spreadsheet programs change SKUs that look like numbers or dates. */

const NUMBER = /^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i;
const MONTHS = /jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez/i;

/** `2026-01-02`, `01/02/26`, `1.2.2026`, `02-Jan`, `Jan-26`, `2. Jan. 26`. */
const DATES = [
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}( \d{1,2}:\d{2}(:\d{2})?)?$/,
  /^\d{1,2}[-/. ]+\p{L}{3,9}\.?([-/. ]+\d{2,4})?$/u,
  /^\p{L}{3,9}\.?[-/. ]+\d{1,4}$/u,
];

/** Whether two SKUs differ only by leading zeros, scientific notation, or the form of a date. */
export function isConverted(exported: string, given: string): boolean {
  if (exported === '') return false;
  if (NUMBER.test(exported) && NUMBER.test(given)) return isSameNumber(exported, given);
  return isDate(given) && couldBeDate(exported);
}

function isSameNumber(exported: string, given: string): boolean {
  if (toDecimal(exported) === toDecimal(given)) return true;
  // In scientific notation, a program shows only the first digits.
  const digits = /^[+-]?(\d+)(?:[.,](\d+))?e/i.exec(given);
  if (!digits) return false;
  const precision = Math.min(100, `${digits[1]}${digits[2] ?? ''}`.length);
  const [was, is] = [exported, given].map((text) => Number(text.replace(',', '.')).toPrecision(precision));
  return was === is;
}

/** Equal for texts of the same number, with all their digits: `0.123e3` and `123.0`. */
function toDecimal(text: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^([+-]?)(\d+)(?:[.,](\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  const power = Number(exponent) - part.length + digits.length - end;
  return `${sign === '-' ? '-' : ''}${digits.slice(0, end)}e${power}`;
}

function isDate(text: string): boolean {
  return DATES.some((form) => form.test(text.trim()));
}

/** `1-2`, `3/4/26`, `MAR1`, `2-JAN`. */
function couldBeDate(text: string): boolean {
  return /^\d{1,4}([-/.]\d{1,4}){1,2}$/.test(text) || (MONTHS.test(text) && /\d/.test(text));
}
