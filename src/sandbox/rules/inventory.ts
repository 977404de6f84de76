import { INVENTED, VERBATIM, VERBATIM_WITH } from '../requests/messages.js';
import { buildRefusal } from '../requests/refusal.js';
import type { Database } from '../store/database.js';
import { ON_PROPERTY_FIELDS } from '../store/inventory.js';
import type { Inventory, OnPropertyField, Product } from '../store/inventory.js';
import { takeId } from '../store/sequences.js';
import { findReadinessState } from '../store/shop_settings.js';
import type { Listing } from '../store/listings.js';
import { findShop } from '../store/shops.js';
import { MOST_USD } from './choices.js';
import type { SentInventory, SentProduct } from './inventory_request.js';
import { resolveValue } from './variation_values.js';

/** Reported caps on the number of products, by the number of variations. */
const MAX_PRODUCTS = [1, 70, 4900, 2500] as const;

/**
 * The inventory after an accepted write. Every product and offering gets a new id, value ids become the
 * shop's own, and products with equal values silently collapse into the first of them.
 */
export function buildInventory(
  db: Database,
  listing: Listing,
  sent: SentInventory,
  max_variations: 2 | 3,
): Inventory {
  const property_ids = getPropertyIds(sent.products);
  checkVariationCount(listing, property_ids, sent.products.length, max_variations);
  checkReadiness(db, listing, sent.products);
  checkPrices(db, listing, sent.products);
  for (const field of ON_PROPERTY_FIELDS) checkOnProperty(sent, field, property_ids);
  if (!sent.products.some((product) => product.is_enabled && product.quantity > 0)) {
    throw buildRefusal(400, INVENTED.no_stock);
  }
  const { products: sentProducts, ...onProperty } = sent;
  const products = sentProducts.map((product) => buildProduct(db, listing, product));
  return { products: collapse(products), ...onProperty, sent: null };
}

/** Replaces the inventory of a listing: price, quantity and has_variations follow from the offerings. */
export function applyInventory(listing: Listing, inventory: Inventory, now_ms: number): Listing {
  const offerings = inventory.products.map((product) => product.offering);
  const enabled = offerings.filter((offering) => offering.is_enabled);
  const priced = enabled.length > 0 ? enabled : offerings;
  const first = inventory.products[0];
  return {
    ...listing,
    updated_at: now_ms,
    inventory,
    fields: {
      ...listing.fields,
      price_amount: Math.min(...priced.map((offering) => offering.price_amount)),
      quantity: enabled.reduce((sum, offering) => sum + offering.quantity, 0),
      has_variations: (first?.property_values.length ?? 0) > 0,
      readiness_state_id: first?.offering.readiness_state_id ?? null,
    },
  };
}

function getPropertyIds(products: readonly SentProduct[]): number[] {
  const property_ids = listPropertyIds(products[0]);
  const key = toKey(property_ids);
  if (products.some((product) => toKey(listPropertyIds(product)) !== key)) {
    throw buildRefusal(400, 'All products must have the same properties.');
  }
  if (new Set(property_ids).size !== property_ids.length) {
    throw buildRefusal(400, 'A product must not have the same property twice.');
  }
  return property_ids;
}

function listPropertyIds(product: SentProduct | undefined): number[] {
  return (product?.property_values ?? []).map((value) => value.property_id);
}

/** The same numbers in any order give the same key. */
function toKey(numbers: readonly number[]): string {
  return numbers.toSorted((left, right) => left - right).join();
}

// A listing with three variations can be written only by a caller that declares support for them.
function checkVariationCount(
  listing: Listing,
  property_ids: readonly number[],
  product_count: number,
  max_variations: 2 | 3,
): void {
  if (listing.fields.listing_type === 'download' && property_ids.length > 0) {
    throw buildRefusal(400, INVENTED.digital_no_variations);
  }
  const existing = listing.inventory.products[0]?.property_values.length ?? 0;
  if (Math.max(existing, property_ids.length) > max_variations) {
    throw buildRefusal(400, VERBATIM_WITH.tooManyVariations(max_variations));
  }
  const most = MAX_PRODUCTS[property_ids.length] ?? 1;
  if (property_ids.length > 0 && product_count > most) {
    throw buildRefusal(400, `A listing with this many variations has at most ${most} products.`);
  }
}

function checkReadiness(db: Database, listing: Listing, products: readonly SentProduct[]): void {
  for (const { readiness_state_id } of products) {
    if (listing.fields.listing_type === 'download') {
      if (readiness_state_id !== null) throw buildRefusal(400, INVENTED.digital_no_readiness);
      continue;
    }
    if (readiness_state_id === null) throw buildRefusal(400, VERBATIM.readiness_on_offerings);
    if (!findReadinessState(db, listing.shop_id, readiness_state_id)) {
      throw buildRefusal(400, `The readiness_state_id ${readiness_state_id} does not belong to this shop.`);
    }
  }
}

function checkPrices(db: Database, { shop_id }: Listing, products: readonly SentProduct[]): void {
  if (findShop(db, shop_id)?.data.currency_code !== 'USD') return;
  if (products.some(({ price_amount }) => price_amount > MOST_USD * 100)) {
    throw buildRefusal(400, INVENTED.price_too_high);
  }
}

const FACTS: Readonly<Record<OnPropertyField, (product: SentProduct) => string | number | null>> = {
  price_on_property: (product) => product.price_amount,
  quantity_on_property: (product) => product.quantity,
  sku_on_property: (product) => product.sku,
  readiness_state_on_property: (product) => product.readiness_state_id,
};

// Products that share their values on the named properties must agree in the fact that varies by them.
function checkOnProperty(sent: SentInventory, field: OnPropertyField, property_ids: readonly number[]): void {
  const named = sent[field];
  const isCountAllowed = named.length <= 1 || named.length === property_ids.length;
  if (!isCountAllowed) throw buildRefusal(400, VERBATIM_WITH.onPropertyCount(field, property_ids.length));
  const unknown = named.find((id) => !property_ids.includes(id));
  if (unknown !== undefined) {
    throw buildRefusal(400, `${field}: the property ${unknown} is not a variation of the products.`);
  }
  const seen = new Map<string, string | number | null>();
  for (const product of sent.products) {
    const key = JSON.stringify(
      named.map((id) => product.property_values.find((value) => value.property_id === id)?.values),
    );
    const fact = FACTS[field](product);
    if (seen.has(key) && seen.get(key) !== fact) {
      throw buildRefusal(400, `The values of the products are incompatible with ${field}.`);
    }
    seen.set(key, fact);
  }
}

function buildProduct(db: Database, listing: Listing, sent: SentProduct): Product {
  return {
    product_id: takeId(db, 'product'),
    sku: sent.sku,
    property_values: sent.property_values.map((value) => resolveValue(db, listing, value)),
    offering: {
      offering_id: takeId(db, 'offering'),
      quantity: sent.quantity,
      is_enabled: sent.is_enabled,
      price_amount: sent.price_amount,
      readiness_state_id: sent.readiness_state_id,
    },
  };
}

function collapse(products: readonly Product[]): Product[] {
  const byValues = new Map<string, Product>();
  for (const product of products) {
    const key = toKey(product.property_values.flatMap((value) => value.value_ids));
    if (!byValues.has(key)) byValues.set(key, product);
  }
  return [...byValues.values()];
}
