import type { EditField } from './field.js';

export const DIRECTION = {
  name: 'way',
  label: 'Raise or lower',
  type: 'choice',
  choices: [
    ['raise', 'Raise'],
    ['lower', 'Lower'],
  ],
} as const satisfies EditField;

/** The problem with a field. */
export type FieldProblem = { field: EditField; words: string };

/** No thousands separators: "1,250" may also mean 1.25. */
const DECIMAL = /^-?\d{1,9}([.,]\d{1,2})?$/;
const PATTERNS = {
  number: DECIMAL,
  percent: DECIMAL,
  whole: /^-?\d{1,9}$/,
} as const;

const EXPECTED = {
  number: 'Enter a number without thousands separators, such as 1250 or 12.50.',
  percent: 'Enter a number without thousands separators, such as 10 or 12.5.',
  whole: 'Enter a whole number without thousands separators, such as 1250.',
} as const;

/** Undefined if the text is blank or not a number. */
export function readNumber(text: string | null): number | undefined {
  const number = dropPercentSign(text ?? '');
  return DECIMAL.test(number) ? Number(number.replace(',', '.')) : undefined;
}

function dropPercentSign(text: string): string {
  return text.trim().replace(/%$/, '').trimEnd();
}

/** Whether the text can be read in only one way. */
export function isNumberText(text: string, type: keyof typeof PATTERNS): boolean {
  return PATTERNS[type].test(type === 'percent' ? dropPercentSign(text) : text.trim());
}

/** A number with the chosen direction. */
export function readSigned(fields: URLSearchParams, name: string): number | undefined {
  const value = readNumber(fields.get(name));
  return value === undefined ? undefined : toSign(fields) * value;
}

export function toSign(fields: URLSearchParams): 1 | -1 {
  return fields.get(DIRECTION.name) === 'lower' ? -1 : 1;
}

/** A problem for each number that is missing or could be misread. Optional blank fields are left to the operation. */
export function listWrongNumbers(fields: readonly EditField[], given: URLSearchParams): FieldProblem[] {
  const hasDirection = fields.some(({ name }) => name === DIRECTION.name);
  return fields.flatMap((field) => {
    const { name, type, is_required } = field;
    const text = (given.get(name) ?? '').trim();
    if (!isNumeric(type)) return [];
    if (text === '') return is_required ? [{ field, words: EXPECTED[type] }] : [];
    if (!isNumberText(text, type)) return [{ field, words: EXPECTED[type] }];
    if (hasDirection && text.startsWith('-')) {
      return [{ field, words: 'Leave out the minus sign, and choose “Raise” or “Lower”.' }];
    }
    return [];
  });
}

function isNumeric(type: EditField['type']): type is keyof typeof PATTERNS {
  return Object.hasOwn(PATTERNS, type);
}
