import type { Call } from '../requests/call.js';
import { VERBATIM, VERBATIM_WITH } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { OnPropertyField } from '../store/inventory.js';
import { countCharacters } from '../requests/fields.js';

export type SentValue = {
  property_id: number;
  property_name: string | null;
  scale_id: number | null;
  value_ids: number[];
  values: string[];
};

export type SentProduct = {
  sku: string;
  property_values: SentValue[];
  price_amount: number;
  quantity: number;
  is_enabled: boolean;
  readiness_state_id: number | null;
};

export type SentInventory = { products: SentProduct[] } & Record<OnPropertyField, number[]>;

const MAX_SKU = 32;
const MAX_QUANTITY = 999;

/** Checks the types and bounds of an inventory body; buildInventory checks how the parts fit together. */
export function parseInventory(body: unknown): SentInventory {
  if (!isRecord(body) || !Array.isArray(body.products) || body.products.length === 0) {
    throw buildRefusal(400, VERBATIM_WITH.missingInput('products'));
  }
  return {
    products: body.products.map(parseProduct),
    price_on_property: parseOnProperty(body, 'price_on_property'),
    quantity_on_property: parseOnProperty(body, 'quantity_on_property'),
    sku_on_property: parseOnProperty(body, 'sku_on_property'),
    readiness_state_on_property: parseOnProperty(body, 'readiness_state_on_property'),
  };
}

/** How many variations the caller says it supports: 2, or 3 if it asks for it. */
export function parseMaxVariations(call: Call): 2 | 3 {
  const text = call.query.get('max_variations_supported') ?? '2';
  if (text !== '2' && text !== '3') throw buildRefusal(400, VERBATIM_WITH.maxVariationsInvalid(text));
  return text === '3' ? 3 : 2;
}

function parseProduct(value: unknown): SentProduct {
  if (!isRecord(value)) throw invalid('products');
  if (!Array.isArray(value.property_values)) throw buildRefusal(400, VERBATIM.property_values_missing);
  if (!Array.isArray(value.offerings)) throw buildRefusal(400, VERBATIM.price_not_a_number);
  if (value.offerings.length !== 1) throw buildRefusal(400, 'Each product must have exactly one offering.');
  const sku = value.sku ?? '';
  if (typeof sku !== 'string') throw invalid('sku');
  if (countCharacters(sku) > MAX_SKU) throw buildRefusal(400, `A sku has at most ${MAX_SKU} characters.`);
  return {
    sku,
    property_values: value.property_values.map(parseValue),
    ...parseOffering(value.offerings[0]),
  };
}

function parseOffering(value: unknown): Omit<SentProduct, 'sku' | 'property_values'> {
  if (!isRecord(value)) throw invalid('offerings');
  if (typeof value.price !== 'number') throw buildRefusal(400, VERBATIM.price_not_a_number);
  const price_amount = Math.round(value.price * 100);
  if (price_amount <= 0 || !Number.isSafeInteger(price_amount)) {
    throw buildRefusal(400, 'The price of an offering must be greater than 0 and an amount of money.');
  }
  const { quantity } = value;
  if (
    typeof quantity !== 'number' ||
    !Number.isInteger(quantity) ||
    quantity < 0 ||
    quantity > MAX_QUANTITY
  ) {
    throw buildRefusal(400, `The quantity of an offering must be 0 to ${MAX_QUANTITY}.`);
  }
  if (typeof value.is_enabled !== 'boolean') throw invalid('is_enabled');
  const readiness_state_id = value.readiness_state_id ?? null;
  if (readiness_state_id !== null && typeof readiness_state_id !== 'number') {
    throw invalid('readiness_state_id');
  }
  return { price_amount, quantity, is_enabled: value.is_enabled, readiness_state_id };
}

function parseValue(value: unknown): SentValue {
  if (!isRecord(value)) throw invalid('property_values');
  const { property_id, property_name = null, scale_id = null, value_ids = [], values } = value;
  if (typeof property_id !== 'number') throw invalid('property_id');
  if (property_name !== null && typeof property_name !== 'string') throw invalid('property_name');
  if (scale_id !== null && typeof scale_id !== 'number') throw invalid('scale_id');
  if (!isNumbers(value_ids)) throw invalid('value_ids');
  if (!isTexts(values) || values.length !== 1 || values[0]?.trim() === '') {
    throw buildRefusal(400, 'Each property of a product must have exactly one value.');
  }
  if (values.some((text) => /[()]/.test(text))) {
    throw buildRefusal(400, 'Parentheses are not allowed in values.');
  }
  return { property_id, property_name, scale_id, value_ids, values };
}

function parseOnProperty(body: Record<string, unknown>, field: OnPropertyField): number[] {
  const value = body[field];
  if (value === undefined || value === null) return [];
  if (!isNumbers(value)) throw invalid(field);
  return [...new Set(value)];
}

function invalid(name: string) {
  return buildRefusal(400, `The value of ${name} has the wrong type.`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isInteger(item));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
