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

/** No thousands separators: "1,250" may also mean 1.25. */
const PATTERNS = { number: /^-?\d{1,9}([.,]\d{1,2})?$/, whole: /^-?\d{1,9}$/ } as const;

const EXPECTED = {
  number: 'Enter a number without thousands separators, such as 1250 or 12.50.',
  whole: 'Enter a whole number without thousands separators, such as 1250.',
} as const;

/** Undefined if the text is blank or not a number. */
export function readNumber(text: string | null): number | undefined {
  const trimmed = (text ?? '').trim();
  return PATTERNS.number.test(trimmed) ? Number(trimmed.replace(',', '.')) : undefined;
}

/** Whether the text can be read in only one way. */
export function isNumberText(text: string, type: keyof typeof PATTERNS): boolean {
  return PATTERNS[type].test(text.trim());
}

/** A number with the chosen direction. */
export function readSigned(fields: URLSearchParams, name: string): number | undefined {
  const value = readNumber(fields.get(name));
  return value === undefined ? undefined : toSign(fields) * value;
}

export function toSign(fields: URLSearchParams): 1 | -1 {
  return fields.get(DIRECTION.name) === 'lower' ? -1 : 1;
}

/** A line for each number that could be misread. Blank fields are left to the operation. */
export function listWrongNumbers(fields: readonly EditField[], given: URLSearchParams): string[] {
  const hasDirection = fields.some(({ name }) => name === DIRECTION.name);
  return fields.flatMap(({ name, label, type }) => {
    const text = (given.get(name) ?? '').trim();
    if ((type !== 'number' && type !== 'whole') || text === '') return [];
    if (!isNumberText(text, type)) return [`${label}: ${EXPECTED[type]}`];
    if (hasDirection && text.startsWith('-')) {
      return [`${label}: Leave out the minus sign, and choose “Raise” or “Lower”.`];
    }
    return [];
  });
}
