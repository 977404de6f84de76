import type { Fact } from '../../../../../schemas/issue.js';
import type { CategorySchema } from '../../../../../schemas/category.js';
import type { Warning } from '../../../../../schemas/job.js';
import type { ListingRequest, ShopTarget } from '../../../../../schemas/listing_request.js';
import type { Inventory, InventoryProduct } from '../../../ports/index.js';
import type { InventoryChange, OfferingChange } from '../../../ports/listing/changes.js';
import { chooseProcessingProfile } from '../../preflight/processing_profile.js';
import { compileProducts } from '../../preflight/shop_part.js';
import { getShopTarget } from '../../requests/request.js';
import { roundPrice } from '../../rules/money.js';
import { readOptions, toProductKey } from '../../snapshot/compare_inventory.js';
import { findOfferings, matchesProduct } from './match_offerings.js';
import type { ChangeInput } from './change_input.js';
import { toOfferingChange } from './patch_offerings.js';

type Compiled = { change: InventoryChange | undefined; warnings: Warning[] };

/**
 * The inventory change in one shop: single combinations if the properties stay the same, otherwise the whole
 * inventory.
 */
export function compileInventoryChange(input: ChangeInput): Compiled {
  const { saved, request, changes, changed, shop, toPath } = input;
  const { currency_code } = shop.details;
  const isRestated = changed.some((path) => /^variations(?:\.properties|\.offerings)?$/.test(path));
  const is = compile(input, request, isRestated ? input.schema : undefined);
  const shortcuts = (changes.offerings ?? []).map((offering, at) =>
    withStock(
      round(
        { ...toOfferingChange(offering, at, request), path: toPath(`changes.offerings[${at}]`) },
        currency_code,
      ),
      is.inventory,
    ),
  );
  if (isRestated) {
    const was = compile(input, saved, input.schema);
    const warnings = [...listHidden(changes, is.completed), ...listProfileWarnings(input)];
    if (!hasSameCombinations(was.inventory, is.inventory)) {
      return {
        change: { kind: 'whole', inventory: is.inventory, quantities: listQuantities(was.inventory) },
        warnings,
      };
    }
    const offerings = is.inventory.products.map((product) => restate(product, was.inventory, request));
    return { change: { kind: 'offerings', offerings: [...offerings, ...shortcuts] }, warnings };
  }
  const { offerings, warnings } = listDependent(input, is.inventory);
  const all = [...offerings, ...shortcuts];
  return {
    change: all.length > 0 ? { kind: 'offerings', offerings: all } : undefined,
    warnings: [...warnings, ...listProfileWarnings(input)],
  };
}

/** All products of a request in one shop; without variations, the only one. */
function compile(
  { index, shop }: ChangeInput,
  request: ListingRequest,
  schema: CategorySchema | undefined,
): { inventory: Inventory; completed: number } {
  const target = getShopTarget(request, index);
  const readiness_state_id =
    shop.lists.processing_profiles.length === 0
      ? null
      : chooseProcessingProfile(request, target, index, shop).readiness_state_id;
  return compileWith(request, target, schema, readiness_state_id, shop.details.currency_code);
}

function compileWith(
  request: ListingRequest,
  target: ShopTarget,
  schema: CategorySchema | undefined,
  readiness_state_id: number | null,
  currency_code: string,
): { inventory: Inventory; completed: number } {
  const named = { ...request, listing: { ...request.listing, sku: request.listing.sku || ' ' } };
  const compiled = compileProducts(named, target, schema, readiness_state_id);
  if (!compiled) throw new Error('with a SKU there is an inventory');
  const { inventory, completed } = compiled;
  const products = inventory.products.map((product) => ({
    ...product,
    sku: product.sku.trim(),
    price: roundPrice(product.price, currency_code),
  }));
  return { inventory: { ...inventory, products }, completed };
}

function round({ set, ...change }: OfferingChange, currency_code: string): OfferingChange {
  return {
    ...change,
    set: { ...set, ...(set.price === undefined ? {} : { price: roundPrice(set.price, currency_code) }) },
  };
}

/** A combination put on sale without a quantity gets the quantity saved here if it has none on the marketplace. */
function withStock(change: OfferingChange, { products }: Inventory): OfferingChange {
  const { match, set } = change;
  if (set.is_enabled !== true || set.quantity !== undefined) return change;
  // The changed request already has its new SKU.
  const changed = { ...change, match: { ...match, sku: match.sku && (set.sku ?? match.sku) } };
  const [product, another] = products.filter((candidate) => matchesProduct(changed, candidate));
  if (!product || another || product.quantity === 0) return change;
  return { ...change, set: { ...set, quantity_if_none: product.quantity } };
}

/**
 * The offerings without a price, stock or processing time of their own, which take it from the listing or the shop.
 * Finds them by compiling again with another value.
 */
function listDependent(
  input: ChangeInput,
  is: Inventory,
): { offerings: OfferingChange[]; warnings: Warning[] } {
  const { request, changed, index, shop, toPath } = input;
  const target = getShopTarget(request, index);
  const { listing } = request;
  const findNamed = (...paths: string[]) => paths.find((path) => changed.includes(path));
  const at = `shops[${index}]`;
  const found = new Map<string, OfferingChange>();
  const warnings: Warning[] = [];
  const add = (path: string, other: Inventory, field: 'price' | 'quantity' | 'readiness_state_id') => {
    const others = new Map(other.products.map((product) => [toProductKey(product), product]));
    const dependent = is.products.filter(
      (product) => others.get(toProductKey(product))?.[field] !== product[field],
    );
    for (const product of dependent) {
      const key = toProductKey(product);
      const change = found.get(key) ?? { path: toPath(path), match: toMatch(product), set: {} };
      found.set(key, { ...change, set: { ...change.set, [field]: product[field] } });
    }
    if (dependent.length === 0)
      warnings.push(buildUnused(toPath(path), field, isOfShop(input, path) ? target : undefined));
  };
  const withOther = (other: Partial<ListingRequest['listing']>, own: Partial<ShopTarget> = {}) =>
    compile(
      input,
      {
        ...request,
        listing: { ...listing, ...other },
        shops: request.shops.with(index, { ...target, ...own }),
      },
      undefined,
    ).inventory;
  const price = findNamed(`${at}.price`, 'listing.price');
  if (price === 'listing.price') add(price, withOther({ price: (listing.price ?? 0) + 1 }), 'price');
  else if (price !== undefined) {
    const now = target.price ?? listing.price ?? 0;
    add(price, withOther({ price: now + 1 }, target.price === undefined ? {} : { price: now + 1 }), 'price');
  }
  if (findNamed('listing.quantity') !== undefined) {
    add('listing.quantity', withOther({ quantity: (listing.quantity ?? 0) + 1 }), 'quantity');
  }
  const profile = findNamed(...listProfilePaths(index));
  if (profile !== undefined && listing.listing_type === 'physical') {
    const other = compileWith(request, target, undefined, NO_PROFILE, shop.details.currency_code);
    add(profile, other.inventory, 'readiness_state_id');
  }
  if (findNamed('listing.sku') !== undefined) {
    const [only, second] = is.products;
    if (only && !second && only.property_values.length === 0) {
      const known = found.get(toProductKey(only)) ?? { path: 'changes.listing.sku', match: {}, set: {} };
      found.set(toProductKey(only), { ...known, set: { ...known.set, sku: only.sku } });
    }
  }
  return { offerings: [...found.values()], warnings };
}

/** The fields that determine a shop's processing profile. */
function listProfilePaths(index: number): string[] {
  return [`shops[${index}].processing_profile_id`, 'listing.processing_min', 'listing.processing_max'];
}

/** Warnings about the processing profile that a change selects, and about processing times it does not match. */
function listProfileWarnings({ request, changed, toPath, index, shop }: ChangeInput): Warning[] {
  const target = request.shops[index];
  const isNamed = listProfilePaths(index).some((path) => changed.includes(path));
  if (!target || !isNamed || shop.lists.processing_profiles.length === 0) return [];
  return chooseProcessingProfile(request, target, index, shop).warnings.map((warning) => ({
    ...warning,
    fields: warning.fields.map(toPath),
  }));
}

/** An id no profile has. */
const NO_PROFILE = -1;

/** Whether the shop's own price makes the price of the listing irrelevant. */
function isOfShop({ request: { variations, shops }, index }: ChangeInput, path: string): boolean {
  const isUsed =
    (variations?.properties ?? []).length === 0 ||
    !variations?.offerings?.every(({ price }) => price !== undefined);
  return path === 'listing.price' && isUsed && shops[index]?.price !== undefined;
}

/** @param target the shop, if it has its own price */
function buildUnused(path: string, field: string, target: ShopTarget | undefined): Warning {
  const reason: Fact = target
    ? { code: 'shop_price_stays', params: { shop_id: target.shop_id, price: target.price } }
    : { code: 'offerings_have_own', params: { field } };
  return { code: 'ignored_field', fields: [path], reason };
}

/**
 * An offering of a list that replaces the former one: all its values, except an unchanged quantity. An offering
 * missing from the list is hidden, and keeps its price and SKU.
 */
function restate(product: InventoryProduct, was: Inventory, request: ListingRequest): OfferingChange {
  const match = toMatch(product);
  const isListed = (request.variations?.offerings ?? []).length > 0;
  if (isListed && findOfferings(request, match).length === 0) {
    return { path: 'changes.variations', match, set: { is_enabled: false, quantity: 0 } };
  }
  const before = was.products.find((other) => toProductKey(other) === toProductKey(product));
  const { price, quantity, sku, is_enabled, readiness_state_id } = product;
  return {
    path: 'changes.variations',
    match,
    set: {
      price,
      sku,
      is_enabled,
      ...(before?.quantity === quantity ? {} : { quantity }),
      ...(before?.readiness_state_id === readiness_state_id || readiness_state_id === null
        ? {}
        : { readiness_state_id }),
    },
  };
}

function toMatch(product: InventoryProduct): OfferingChange['match'] {
  return product.property_values.length === 0 ? {} : { values: readOptions(product) };
}

function listQuantities({ products }: Inventory) {
  return products
    .filter(({ property_values }) => property_values.length > 0)
    .map((product) => ({ values: readOptions(product), quantity: product.quantity }));
}

/** The same properties in the same order, with the same values in the same order. */
function hasSameCombinations(a: Inventory, b: Inventory): boolean {
  return describeCombinations(a) === describeCombinations(b);
}

function describeCombinations({ products }: Inventory): string {
  return JSON.stringify(
    products.map(({ property_values }) =>
      property_values.map(({ property_id, property_name, scale_id, values }) => [
        property_id,
        property_name,
        scale_id,
        values,
      ]),
    ),
  );
}

/** A list of offerings replaces the former one, so an offering missing from it is hidden. */
function listHidden({ variations }: ChangeInput['changes'], completed: number): Warning[] {
  if (completed === 0 || variations?.offerings === undefined) return [];
  const reason = { code: 'combinations_hidden' as const, params: { count: completed } };
  return [{ code: 'offerings_completed', fields: ['changes.variations.offerings'], reason }];
}
