import type { ListingRequest } from '../../../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../../../schemas/marketplace_facts.js';
import {
  FIELD_NAMES,
  getAt,
  getRow,
  isList,
  toName,
  toPath,
} from '../../../../../core/listings/listing_fields.js';
import type { FieldName } from '../../../../../../schemas/listing_fields.js';
import { readNumber } from '../../../changes/numbers.js';
import { readTrimmed, readWords, type Values } from '../values.js';

/* Optional fields of a listing that the form takes only from the table of listing fields: their kind, their
   names and their units. */

/** Fields that have a place of their own in the form. */
const ELSEWHERE: ReadonlySet<FieldName> = new Set(['tags', 'materials'] as const);

/** In the order of the table. */
export const MORE_FIELDS = FIELD_NAMES.filter((field) => {
  const { create, part, type } = getRow(field);
  const isShown = create === 'optional' && part === 'fields' && type !== 'opaque';
  return isShown && toPath(field) === `listing.${field}` && !ELSEWHERE.has(field);
});

export const PERSONALIZATION_FIELDS = ['personalization_text', 'personalization_max'] as const;

const UNITS: Partial<Record<FieldName, readonly string[]>> = {
  item_weight_unit: MARKETPLACE_FACTS.item_weight_units,
  item_dimensions_unit: MARKETPLACE_FACTS.item_dimensions_units,
};

export function listUnits(field: FieldName): readonly string[] {
  return UNITS[field] ?? [];
}

/** Whether the value can be changed on an existing Etsy listing. */
export function isChangeable(field: FieldName): boolean {
  return getRow(field).update !== undefined;
}

export function setMoreFields(values: Values, { listing, personalization }: ListingRequest): void {
  for (const field of MORE_FIELDS) {
    const value = getAt(listing, toName(field));
    values.set(field, writeValue(value as string[] | string | number | boolean | null | undefined));
  }
  const { enabled, is_required, instructions, max_chars } = personalization ?? {};
  values.set('personalization', enabled !== true ? '' : is_required === true ? 'required' : 'optional');
  values.set('personalization_text', instructions ?? '');
  values.set('personalization_max', String(max_chars ?? ''));
}

function writeValue(value: string[] | string | number | boolean | null | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

export function buildMoreFields(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    MORE_FIELDS.flatMap((field): [string, unknown][] => {
      const text = readTrimmed(values, field);
      if (text === '') return [];
      if (isList(field)) return [[field, readWords(values, field)]];
      const { type } = getRow(field);
      if (type === 'flag') return [[field, text === 'yes']];
      // An unreadable number is a problem of the form.
      return [[field, type === 'number' ? readNumber(text) : text]];
    }),
  );
}

export function buildPersonalization(values: Values): Pick<ListingRequest, 'personalization'> {
  const choice = readTrimmed(values, 'personalization');
  if (choice === '') return {};
  const instructions = readTrimmed(values, 'personalization_text');
  const max_chars = readNumber(values.get('personalization_max'));
  return {
    personalization: {
      enabled: true,
      ...(choice === 'required' && { is_required: true }),
      ...(instructions !== '' && { instructions }),
      ...(max_chars !== undefined && { max_chars }),
    },
  };
}
