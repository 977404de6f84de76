import type { FieldRef, OfferingField, OfferingKey, OptionValue } from '../../../../schemas/field_ref.js';
import { toPath } from '../listing_fields.js';
import { foldValue } from '../rules/text.js';

/** Whether both are the same field. */
export function isSameRef(a: FieldRef, b: FieldRef): boolean {
  return getField(a) === getField(b) && isSamePlace(a, b);
}

/**
 * Whether writing one field may overwrite the other: they are the same, or one is part of the other. All photos are
 * one field.
 */
export function isRelated(a: FieldRef, b: FieldRef): boolean {
  if (a.part === 'images') return b.part === 'images';
  if (a.part === 'options' && b.part === 'options' && (!a.name || !b.name)) return true;
  const [own, other] = [getField(a), getField(b)];
  return (own === other || own === undefined || other === undefined) && isSamePlace(a, b);
}

/** Whether it is the quantity of a combination, which sales lower. */
export function isStock(ref: FieldRef): boolean {
  return ref.part === 'inventory' && ref.field === 'quantity';
}

/**
 * Whether both are the same combination, with options in any order. One stored by an earlier release may have only
 * a label.
 */
export function isSameOffering(a: OfferingKey, b: OfferingKey): boolean {
  if ([...a, ...b].some(({ property_id }) => property_id === null))
    return formatOffering(a) === formatOffering(b);
  return a.length === b.length && a.every((option) => b.some((other) => isSameOption(option, other)));
}

function isSameOption(a: OptionValue, b: OptionValue): boolean {
  return a.property_id === b.property_id && foldValue(a.value) === foldValue(b.value);
}

function getField(ref: FieldRef): string | undefined {
  return 'field' in ref ? ref.field : undefined;
}

/**
 * Compares everything except the fields. Names count only if an id is unknown, as in data stored by an earlier
 * release.
 */
function isSamePlace(a: FieldRef, b: FieldRef): boolean {
  if (a.part === 'inventory') return b.part === 'inventory' && isSameOffering(a.offering, b.offering);
  if (a.part === 'attributes') {
    return b.part === 'attributes' && (a.id === null || b.id === null ? a.name === b.name : a.id === b.id);
  }
  return a.part === b.part && getPlace(a) === getPlace(b);
}

function getPlace(ref: FieldRef): string | number | undefined {
  switch (ref.part) {
    case 'options':
      return ref.name;
    case 'images':
      return 'id' in ref ? (ref.id ?? `position ${ref.position}`) : undefined;
    case 'variation_images':
      return foldValue(ref.value);
    case 'questions':
      return ref.position;
    case 'translations':
      return ref.language;
    default:
      return undefined;
  }
}

/** The request's names of a combination's fields. */
export const OFFERING_NAMES = {
  price: 'price',
  quantity: 'quantity',
  sku: 'sku',
  is_enabled: 'enabled',
  readiness_state_id: 'processing_profile_id',
} as const satisfies Record<OfferingField, string>;

/**
 * Names the field for callers, by its path in a request. Never used to decide: different combinations may have the
 * same label.
 */
export function toLabel(ref: FieldRef): string {
  switch (ref.part) {
    case 'fields':
      return toPath(ref.field);
    case 'inventory':
      return toOfferingLabel(ref);
    case 'options': {
      const of = ref.name === undefined ? '' : `[${ref.name}]`;
      return `variations.properties${of}${ref.field === undefined ? '' : `.${ref.field}`}`;
    }
    case 'images':
      return 'field' in ref ? `images[${ref.position}].${ref.field}` : 'images';
    case 'files':
      return 'digital_files';
    case 'variation_images':
      return `variations.variation_images.mapping.${ref.value}`;
    case 'attributes':
      return `category_attributes.${ref.name}`;
    case 'questions':
      return `personalization.${ref.field ?? `questions[${ref.position}]`}`;
    case 'translations':
      return `translations.${ref.language}.${ref.field}`;
    case 'videos':
    case 'state':
      return ref.part;
  }
}

/** Without variations, the fields are those of the listing, or of the shop. */
function toOfferingLabel({ offering, field, shop_index }: Extract<FieldRef, { part: 'inventory' }>): string {
  const name = field && OFFERING_NAMES[field];
  if (offering.length > 0) {
    return `variations.offerings[${formatOffering(offering)}]${name === undefined ? '' : `.${name}`}`;
  }
  if (field === 'readiness_state_id') return toPath(field);
  if (shop_index !== undefined) return `shops[${shop_index}].${name}`;
  return name === undefined ? 'listing' : `listing.${name}`;
}

/** `Size: S, Color: Red` */
export function formatOffering(offering: OfferingKey): string {
  return offering.map(({ name, value }) => `${name}: ${value}`).join(', ');
}
