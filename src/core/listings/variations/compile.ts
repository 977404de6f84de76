import type { VariationPropertySchema } from '../../../../schemas/category.js';
import type { Offering, VariationProperty, Variations } from '../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { Inventory, InventoryProduct, InventoryPropertyValue } from '../../ports/marketplace_listing.js';
import { cutChars } from '../rules/text.js';
import { toOfferingKey } from '../rules/variation_rules.js';
import { findValue, inferScale } from '../requests/scales.js';
import { findAxis, toPropertyIds, type Axis } from './axis.js';

/** The values of one shop's listing for offerings without their own. */
type VariationDefaults = {
  price: number | undefined;
  quantity: number | undefined;
  /** Null for digital listings, which have no variations; needed for the plain inventory of a SKU. */
  readiness_state_id: number | null;
};

export type CompiledVariations = {
  inventory: Inventory;
  /** Sent on creation: the lowest price and the total quantity of enabled combinations. */
  price: number;
  quantity: number;
  /** Combinations the caller omitted, which were added as hidden. */
  completed: number;
  /** Whether any product has the listing's own price. */
  is_listing_price_used: boolean;
};

/** One combination, given by the caller or added. */
type Row = {
  choice: readonly string[];
  price: number;
  quantity: number;
  sku: string;
  is_enabled: boolean;
  readiness_state_id: number | null;
  is_listing_price: boolean;
};

/**
 * Builds the whole inventory of a request that passed the rules: the Cartesian product of the properties in the
 * caller's order, with omitted combinations added as hidden, and the properties by which price, quantity, SKU and
 * processing profile vary.
 */
export function compileVariations(
  { properties = [], offerings = [] }: Variations,
  known: readonly VariationPropertySchema[],
  defaults: VariationDefaults,
): CompiledVariations {
  const choices = buildProduct(properties.map((property) => property.values));
  const given = offerings.map((offering) => toRow(offering, properties, defaults));
  const rows =
    given.length > 0
      ? completeRows(choices, given, defaults)
      : choices.map((choice) => toEveryRow(choice, defaults));
  const enabled = rows.filter((row) => row.is_enabled && row.quantity > 0);
  return {
    inventory: toInventory(rows, properties, known),
    price: Math.min(...(enabled.length > 0 ? enabled : rows).map((row) => row.price)),
    quantity: Math.min(
      999,
      Math.max(
        1,
        enabled.reduce((sum, row) => sum + row.quantity, 0),
      ),
    ),
    completed: rows.length - (given.length > 0 ? given.length : rows.length),
    is_listing_price_used: rows.some((row) => row.is_listing_price),
  };
}

/** All combinations; the first property varies slowest. */
export function buildProduct(values: readonly (readonly string[])[]): string[][] {
  return values.reduce<string[][]>(
    (product, next) => product.flatMap((choice) => next.map((value) => [...choice, value])),
    [[]],
  );
}

function toRow(
  offering: Offering,
  properties: readonly VariationProperty[],
  defaults: VariationDefaults,
): Row {
  const isEnabled = offering.enabled !== false;
  return {
    choice: properties.map((property) => String(offering[toOfferingKey(property.name)])),
    price: offering.price ?? defaults.price ?? 0,
    quantity: isEnabled ? (offering.quantity ?? defaults.quantity ?? 0) : 0,
    sku: cutChars(offering.sku ?? '', MARKETPLACE_FACTS.sku_sent_chars),
    is_enabled: isEnabled,
    readiness_state_id: offering.processing_profile_id ?? defaults.readiness_state_id,
    is_listing_price: offering.price === undefined,
  };
}

function toEveryRow(
  choice: readonly string[],
  { price = 0, quantity = 0, readiness_state_id }: VariationDefaults,
): Row {
  return { choice, price, quantity, sku: '', is_enabled: true, readiness_state_id, is_listing_price: true };
}

/** Determines axes from the given rows; an added row takes its price and profile from its value on that axis. */
function completeRows(
  choices: readonly string[][],
  given: readonly Row[],
  defaults: VariationDefaults,
): Row[] {
  const byChoice = new Map(given.map((row) => [JSON.stringify(row.choice), row]));
  const onlyChoices = given.map((row) => row.choice);
  const lowest = Math.min(...given.map((row) => row.price));
  const findPrice = createFinder(
    findAxis(
      onlyChoices,
      given.map((row) => row.price),
    ),
    given,
    (row) => row.price,
  );
  const profiles = given.map((row) => row.readiness_state_id);
  const findProfile = createFinder(findAxis(onlyChoices, profiles), given, (row) => row.readiness_state_id);
  return choices.map((choice) => {
    const own = byChoice.get(JSON.stringify(choice));
    if (own) return own;
    const price = findPrice(choice);
    return {
      choice,
      price: price ?? defaults.price ?? lowest,
      quantity: 0,
      sku: '',
      is_enabled: false,
      readiness_state_id: findProfile(choice) ?? defaults.readiness_state_id,
      is_listing_price: price === undefined && defaults.price !== undefined,
    };
  });
}

function createFinder<T>(
  axis: Axis,
  given: readonly Row[],
  read: (row: Row) => T,
): (choice: readonly string[]) => T | undefined {
  if (axis === 'all') return () => undefined;
  if (axis === 'none') {
    const [first] = given;
    return () => first && read(first);
  }
  const byValue = new Map(given.map((row) => [row.choice[axis], read(row)]));
  return (choice) => byValue.get(choice[axis]);
}

function toInventory(
  rows: readonly Row[],
  properties: readonly VariationProperty[],
  known: readonly VariationPropertySchema[],
): Inventory {
  const property_ids = properties.map((property) => property.property_id);
  const scaled = properties.map((property) => toScaled(property, known));
  const choices = rows.map((row) => row.choice);
  const findIds = (read: (row: Row) => unknown) =>
    toPropertyIds(findAxis(choices, rows.map(read)), property_ids);
  return {
    products: rows.map((row) => toProduct(row, scaled)),
    price_on_property: findIds((row) => row.price),
    quantity_on_property: findIds((row) => row.quantity),
    sku_on_property: findIds((row) => row.sku),
    readiness_state_on_property: findIds((row) => row.readiness_state_id),
  };
}

/** A property of the request, with the category's schema for it and the scale of its values. */
type ScaledProperty = {
  property: VariationProperty;
  schema: VariationPropertySchema | undefined;
  scale_id: number | null;
};

function toScaled(property: VariationProperty, known: readonly VariationPropertySchema[]): ScaledProperty {
  const schema = known.find((candidate) => candidate.property_id === property.property_id);
  const choice =
    schema &&
    inferScale(
      schema,
      property.values.map((name) => ({ name })),
    );
  const inferred = choice?.found === 'one' ? choice.scale_id : null;
  return { property, schema, scale_id: property.scale_id ?? inferred };
}

function toProduct(
  { choice, is_listing_price: _, ...row }: Row,
  properties: readonly ScaledProperty[],
): InventoryProduct {
  const property_values = properties.map((property, index) => toPropertyValue(property, choice[index] ?? ''));
  return { ...row, property_values };
}

/**
 * Sends a value the category knows with its id, and any other only as text, for which the marketplace creates an id
 * of the shop.
 */
function toPropertyValue(
  { property, schema, scale_id }: ScaledProperty,
  value: string,
): InventoryPropertyValue {
  const match = schema && findValue(schema, value, scale_id);
  return {
    property_id: property.property_id,
    property_name: property.name,
    scale_id,
    value_ids: typeof match?.value_id === 'number' ? [match.value_id] : [],
    values: [value],
  };
}
