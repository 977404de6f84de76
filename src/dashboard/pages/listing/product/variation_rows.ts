import type { ListingRequest, Offering, Variations } from '../../../../../schemas/listing_request.js';
import { toOfferingKey } from '../../../../core/listings/rules/variation_rules.js';

export type VariationRow = {
  /** One value per property, in the order of the properties. */
  values: string[];
  /** Undefined if it uses the price of the shop or the listing. */
  price: number | undefined;
  quantity: number | undefined;
  sku: string | undefined;
  is_hidden: boolean;
};

type VariationTable = {
  properties: string[];
  rows: VariationRow[];
  /** Combinations without an offering in the request; they are created on the marketplace, but hidden there. */
  left_out: number;
  /** The number of rows that are not shown. */
  more: number;
};

/** Maximum number of rows shown; a request may have thousands. */
const MAX_ROWS = 200;

/**
 * The table of combinations that buyers choose from, according to the request; undefined without variations.
 */
export function buildVariationTable({ variations, listing }: ListingRequest): VariationTable | undefined {
  const { properties = [], offerings = [] } = variations ?? {};
  if (properties.length === 0) return undefined;
  const keys = properties.map(({ name }) => toOfferingKey(name));
  const combinations = properties.reduce((count, { values }) => count * values.length, 1);
  const given: readonly Offering[] =
    offerings.length > 0 ? offerings : listCombinations(properties, keys, MAX_ROWS);
  const total = offerings.length > 0 ? offerings.length : combinations;
  return {
    properties: properties.map(({ name }) => name),
    rows: given.slice(0, MAX_ROWS).map((offering) => ({
      values: keys.map((key) => toText(offering[key])),
      price: offering.price,
      quantity: offering.quantity ?? listing.quantity,
      sku: offering.sku,
      is_hidden: offering.enabled === false,
    })),
    left_out: offerings.length > 0 ? Math.max(0, combinations - offerings.length) : 0,
    more: Math.max(0, total - MAX_ROWS),
  };
}

/** The first `count` of all combinations, the last property changing fastest. */
function listCombinations(
  properties: NonNullable<Variations['properties']>,
  keys: readonly string[],
  most: number,
): Offering[] {
  let found: Record<string, string>[] = [{}];
  properties.forEach(({ values }, index) => {
    const key = keys[index] ?? '';
    found = found.flatMap((known) => values.map((value) => ({ ...known, [key]: value }))).slice(0, most);
  });
  return found;
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
