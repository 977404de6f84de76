import type { Call, Fields } from './call.js';
import { VERBATIM, VERBATIM_WITH } from './messages.js';
import { buildRefusal } from './refusal.js';

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?(\d{1,12})(\.\d{1,10})?$/;
const MAX_LIMIT = 100;
const MAX_OFFSET = 12_000;

/** The length of a text in code points, the unit of the marketplace's limits. */
export function countCharacters(text: string): number {
  return Array.from(text).length;
}

/** Refuses unless every name is present and not empty. */
export function requireFields(fields: Fields, names: readonly string[]): void {
  const missing = names.filter((name) => (fields.get(name) ?? '') === '');
  if (missing.length > 0) throw buildRefusal(400, VERBATIM_WITH.missingInput(missing.join(', ')));
}

/** Undefined if the name is absent, null if its text is empty: in that case, an update clears the field. */
export function parseInteger(fields: Fields, name: string, least = 0): number | null | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  if (text === '') return null;
  if (!INTEGER.test(text)) throw buildRefusal(400, `Expected int value for '${name}' (got string).`);
  const value = Number(text);
  if (value < least) throw buildRefusal(400, `The value of ${name} must be at least ${least}.`);
  return value;
}

export function parseDecimal(fields: Fields, name: string): number | null | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  if (text === '') return null;
  if (!DECIMAL.test(text)) throw buildRefusal(400, `Expected float value for '${name}' (got string).`);
  return Number(text);
}

export function parseBoolean(fields: Fields, name: string): boolean | undefined {
  const text = fields.get(name);
  if (text === undefined || text === '') return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw buildRefusal(400, `Expected boolean value for '${name}' (got string).`);
}

export function parseChoice<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = fields.get(name);
  if (text === undefined || text === '') return undefined;
  const found = choices.find((choice) => choice === text);
  if (!found) throw buildRefusal(400, `Invalid value (${text}) for parameter ${name}.`);
  return found;
}

/** A list is one text with commas; an empty text is an empty list. */
export function parseTexts(fields: Fields, name: string): string[] | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  return text === '' ? [] : text.split(',').map((item) => item.trim());
}

export function parseIds(fields: Fields, name: string): number[] | undefined {
  return parseTexts(fields, name)?.map((item) => {
    if (!INTEGER.test(item)) throw buildRefusal(400, `Expected int values for '${name}'.`);
    return Number(item);
  });
}

export function parsePage(query: Fields): { limit: number; offset: number } {
  const limit = parseInteger(query, 'limit') ?? 25;
  const offset = parseInteger(query, 'offset') ?? 0;
  if (limit < 1 || limit > MAX_LIMIT) throw buildRefusal(400, `The limit must be 1 to ${MAX_LIMIT}.`);
  if (offset > MAX_OFFSET) throw buildRefusal(400, `The offset must be at most ${MAX_OFFSET}.`);
  return { limit, offset };
}

/** An id in the path. Text that is not a number matches nothing. */
export function getPathId(call: Call, name: string): number {
  const text = call.params[name] ?? '';
  if (!INTEGER.test(text)) throw buildRefusal(404, VERBATIM.not_found);
  return Number(text);
}
