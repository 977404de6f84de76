import { copyTargets } from '../../../../schemas/copy.js';
import { listingRequest } from '../../../../schemas/listing_request.js';
import { listingChanges } from '../../../../schemas/listing_changes.js';
import type { Issue } from '../../../../schemas/issue.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import {
  EDIT_OPS,
  type BatchEdit,
  type EditField,
  type Member,
  type OpRow,
  type ValueType,
} from '../../../../schemas/batch.js';
import { mergeKeyRules } from '../../listings/requests/key_rules.js';
import { listRefused, listUnknownKeys } from '../../operations/unknown_keys/unknown_keys.js';
import { listRoundings, ROUNDINGS } from './prices.js';

const MEMBERS: readonly Member[] = [
  'value',
  'find',
  'with',
  'currency',
  'round_to',
  'where',
  'stock',
  'shops',
];

/** Converts edits to their intended types: clients that can only send text send numbers, lists and objects as JSON. */
export function readEdits(edits: readonly BatchEdit[]): BatchEdit[] {
  return edits.map((edit) => {
    const { field, op, value } = edit;
    const type = isEditField(field) ? findOp(field, op)?.value : undefined;
    if (type === undefined || type === 'text' || typeof value !== 'string') return edit;
    const parsed = parseJson(value);
    // A section may be named "2024".
    if (typeof parsed === 'number' && (type === 'name' || type === 'name_or_null')) return edit;
    return VALUES[type].isOne(parsed) && typeof parsed !== 'string'
      ? { ...edit, value: parsed as typeof value }
      : edit;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Problems of the edits themselves. @param currencies of the selected shops */
export function checkEdits(edits: readonly BatchEdit[], currencies: readonly string[]): Issue[] {
  return edits.flatMap((edit, index) => checkEdit(edit, `edits[${index}]`, currencies));
}

function checkEdit(edit: BatchEdit, at: string, currencies: readonly string[]): Issue[] {
  const { field, op } = edit;
  if (!isEditField(field)) {
    return [{ code: 'edit_field_unknown', at: `${at}.field`, params: { fields: Object.keys(EDIT_OPS) } }];
  }
  const row = findOp(field, op);
  if (!row) {
    const ops = Object.keys(EDIT_OPS[field]);
    return [{ code: 'edit_op_unknown', at: `${at}.op`, params: { of: field, ops } }];
  }
  const given = MEMBERS.filter((member) => edit[member] !== undefined);
  const members = [...row.needs, ...(row.takes ?? [])];
  return [
    ...row.needs
      .filter((member) => !given.includes(member))
      .map((member): Issue => ({
        code: 'edit_member_missing',
        at: `${at}.${member}`,
        params: { member, op },
      })),
    ...given
      .filter((member) => !members.includes(member))
      .map((member): Issue => ({
        code: 'edit_member_needless',
        at: `${at}.${member}`,
        params: { member, members },
      })),
    ...checkValue(edit, row, at),
    ...checkChanges(edit, at),
    ...(field === 'price' ? checkCurrency(edit, at, currencies) : []),
    ...checkShops(edit, at),
  ];
}

function checkValue({ value, find }: BatchEdit, { value: type }: OpRow, at: string): Issue[] {
  if (find === '') return [{ code: 'text_empty', at: `${at}.find`, params: {} }];
  if (type === undefined || value === undefined || VALUES[type].isOne(value)) return [];
  return [{ code: 'edit_value_wrong', at: `${at}.value`, params: { expected: VALUES[type].expected } }];
}

/** Keys of a merge patch that nothing reads. */
function checkChanges({ field, value }: BatchEdit, at: string): Issue[] {
  if (field !== 'any' || !isObject(value)) return [];
  const unknown = listUnknownKeys(listingChanges, value, mergeKeyRules);
  return listRefused(unknown, value, mergeKeyRules).map((issue) => ({
    ...issue,
    at: issue.at === '' ? `${at}.value` : `${at}.value.${issue.at}`,
  }));
}

function checkShops({ shops }: BatchEdit, at: string): Issue[] {
  if (shops === undefined || copyTargets.safeParse(shops).success) return [];
  return [{ code: 'edit_value_wrong', at: `${at}.shops`, params: { expected: 'shops as in listing_copy' } }];
}

function checkCurrency(
  { op, currency, round_to }: BatchEdit,
  at: string,
  currencies: readonly string[],
): Issue[] {
  const issues: Issue[] = [];
  if (currency !== undefined && !currencies.includes(currency)) {
    issues.push({ code: 'edit_currency_absent', at: `${at}.currency`, params: { currency, currencies } });
  }
  if (currency === undefined && op !== 'increase_percent' && currencies.length > 1) {
    issues.push({ code: 'edit_currency_required', at: `${at}.currency`, params: { currencies } });
  }
  if (round_to === undefined) return issues;
  if (!ROUNDINGS.includes(round_to)) {
    issues.push({ code: 'edit_rounding_unknown', at: `${at}.round_to`, params: { choices: ROUNDINGS } });
    return issues;
  }
  for (const one of currency === undefined ? currencies : [currency]) {
    const choices = listRoundings(one);
    if (choices.includes(round_to)) continue;
    issues.push({
      code: 'edit_rounding_of_currency',
      at: `${at}.round_to`,
      params: { currency: one, choices },
    });
  }
  return issues;
}

const VALUES: Record<ValueType, { expected: string; isOne: (value: unknown) => boolean }> = {
  price: { expected: 'a price, as a number', isOne: isNumber },
  number: { expected: 'a number, such as 10 or -2.5', isOne: isNumber },
  count: { expected: 'a whole number of at least 0', isOne: (value) => isInteger(value) && value >= 0 },
  integer: { expected: 'a whole number', isOne: isInteger },
  text: { expected: 'a text', isOne: isText },
  words: { expected: 'a list of texts, such as ["gift", "oak"]', isOne: isListOf(isText) },
  name: { expected: 'an id or a name', isOne: isIdOrName },
  name_or_null: {
    expected: 'an id, a name, or null for none',
    isOne: (value) => value === null || isIdOrName(value),
  },
  flag: { expected: 'true or false', isOne: (value) => typeof value === 'boolean' },
  making: { expected: '{who_made, when_made, is_supply}', isOne: isMaking },
  urls: { expected: 'a list of photos: {url, alt_text}, or their URLs', isOne: isListOf(isPhoto) },
  ranks: { expected: 'a list of ranks, 1 for the main photo', isOne: isListOf(isRank) },
  alt_texts: { expected: 'a list of {rank, alt_text}', isOne: isListOf(isAltText) },
  changes: {
    expected: 'an object as changes of listing_update',
    isOne: (value) => isObject(value) && listingChanges.safeParse(value).success,
  },
};

const making = listingRequest.shape.listing
  .pick({ who_made: true, when_made: true, is_supply: true })
  .required()
  .strict();
const photo = listingRequest.shape.images.unwrap().element;

/** Far above the number that a change of one listing may have, and far below the number that is slow. */
const MOST_ENTRIES = 100;

function isListOf(isOne: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MOST_ENTRIES && value.every(isOne);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MARKETPLACE_FACTS.price_max_usd * 1_000;
}

function isInteger(value: unknown): value is number {
  return isNumber(value) && Number.isInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isIdOrName(value: unknown): boolean {
  return isText(value) ? value.trim() !== '' : Number.isSafeInteger(value);
}

function isRank(value: unknown): boolean {
  return isInteger(value) && value >= 1 && value <= MARKETPLACE_FACTS.images_per_listing;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMaking(value: unknown): boolean {
  return making.safeParse(value).success;
}

function isPhoto(value: unknown): boolean {
  return isText(value) || photo.safeParse(value).success;
}

function isAltText(value: unknown): boolean {
  return isObject(value) && isRank(value['rank']) && isText(value['alt_text']);
}

function isEditField(name: string): name is EditField {
  return Object.hasOwn(EDIT_OPS, name);
}

function findOp(field: EditField, op: string): OpRow | undefined {
  const ops: Record<string, OpRow> = EDIT_OPS[field];
  return Object.hasOwn(ops, op) ? ops[op] : undefined;
}
