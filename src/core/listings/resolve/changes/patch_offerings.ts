import type { Warning } from '../../../../../schemas/job.js';
import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type {
  ListingRequest,
  Offering,
  OfferingPatch,
  Variations,
} from '../../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import type { Issue } from '../../../../../schemas/issue.js';
import type { OfferingChange } from '../../../ports/listing/changes.js';
import { isOfferingKeyOf, toOfferingKey } from '../../rules/variation_rules.js';
import { buildProduct } from '../../variations/compile.js';
import { findOfferings } from './match_offerings.js';

/**
 * Whether a price for the only offering of a listing without variations replaces the own prices of single shops.
 */
export type OwnPrices = 'written' | 'kept';

const KNOWN: ReadonlySet<string> = new Set(['sku', 'price', 'quantity', 'enabled', 'sku_new']);

const MOST_COMBINATIONS = MARKETPLACE_FACTS.values_per_property ** 2;

/** Whether a key of an entry names a property. */
export function isOptionKey(key: string): boolean {
  return !KNOWN.has(key);
}

/** The combination that an entry of changes.offerings means, and the values to set there. */
export function toOfferingChange(
  patch: OfferingPatch,
  index: number,
  { variations }: ListingRequest,
): OfferingChange {
  const { sku, price, quantity, enabled, sku_new } = patch;
  const findId = (name: string) =>
    variations?.properties?.find((property) => isOfferingKeyOf(name, property.name))?.property_id;
  const values = Object.entries(patch).flatMap(([key, value]) =>
    isOptionKey(key) && typeof value === 'string'
      ? [{ name: key, property_id: findId(key) ?? null, value }]
      : [],
  );
  return {
    path: `changes.offerings[${index}]`,
    match: { sku, ...(values.length > 0 && { values }) },
    set: { price, quantity, sku: sku_new, is_enabled: enabled },
  };
}

/**
 * Changes single combinations of the request. Returns entries that match none in `missing`: a shop may still have
 * those combinations.
 * @param named the only shops to change
 */
export function patchOfferings(
  saved: ListingRequest,
  offerings: readonly OfferingPatch[],
  named: readonly number[] | undefined,
  own_prices: OwnPrices,
): { request: ListingRequest; issues: Issue[]; missing: OfferingChange[] } {
  if (offerings.length === 0) return { request: saved, issues: [], missing: [] };
  const request = structuredClone(saved);
  const isVaried = (request.variations?.properties?.length ?? 0) > 0;
  if (isVaried && request.variations) request.variations.offerings = listAllOfferings(request);
  const missing: OfferingChange[] = [];
  const issues: Issue[] = [];
  const changes = offerings.map((offering, at) => toOfferingChange(offering, at, request));
  const found = changes.map((change) => (isVaried ? findOfferings(request, change.match) : []));
  changes.forEach((change, index) => {
    const own = found[index] ?? [];
    if (Object.values(change.set).every((value) => value === undefined)) {
      issues.push({ code: 'offering_empty', at: change.path, params: {} });
    } else if (!isVaried) {
      if (isTheOnly(request, change)) setOnly(request, change, named, own_prices);
      else missing.push(change);
    } else if (own.length > 1) issues.push(buildSeveral(request, change, own));
    else if (own[0]) setOffering(own[0], change);
    else missing.push(change);
  });
  return { request, issues, missing };
}

/** Entries for a combination that an earlier entry already changes: only one of them could take effect. */
export function listRepeated(offerings: readonly OfferingPatch[], saved: ListingRequest): Issue[] {
  const isVaried = (saved.variations?.properties?.length ?? 0) > 0;
  const all = isVaried ? listAllOfferings(saved) : [];
  const request = { ...saved, variations: { ...saved.variations, offerings: all } };
  const seen = new Map<unknown, string>();
  return offerings.flatMap((offering, index): Issue[] => {
    const { path: at, match } = toOfferingChange(offering, index, saved);
    const [found, another] = isVaried ? findOfferings(request, match) : [];
    if (another) return [];
    const key = found ?? JSON.stringify([match.sku, match.values]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    return first === undefined ? [] : [{ code: 'offering_repeated', at, params: { first } }];
  });
}

/** The problem of an entry whose combination the listing does not have. */
export function buildMissing(
  { listing, variations }: ListingRequest,
  { match, path: at }: OfferingChange,
): Issue {
  const { sku, values = [] } = match;
  const properties = variations?.properties ?? [];
  const options = properties.map(({ name }) => toOfferingKey(name));
  const isKnown = (key: string) => properties.some(({ name }) => isOfferingKeyOf(key, name));
  const keys = values.map(({ name }) => name).filter((name) => !isKnown(name));
  if (keys.length > 0) return { code: 'offering_option_unknown', at, params: { keys, options } };
  const offerings = variations?.offerings ?? [listing];
  const hasValues = values.length > 0;
  const known = hasValues
    ? (variations?.offerings ?? []).map((one) => toLabel(one, options))
    : offerings.flatMap((one) => (one.sku === undefined || one.sku === '' ? [] : [one.sku]));
  return { code: 'offering_unknown', at, params: { sku, has_values: hasValues, known } };
}

/** Names the offering in the form of an entry of changes.offerings. */
function toLabel(offering: Offering, keys: readonly string[]): string {
  return keys.map((key) => `${key}: ${String(offering[key])}`).join(', ');
}

/** A request without offerings has one for every combination. */
export function listAllOfferings({ variations }: ListingRequest): Offering[] {
  const { properties = [], offerings = [] }: Variations = variations ?? {};
  const count = properties.reduce((product, { values }) => product * values.length, 1);
  // With more, the rules refuse the request.
  if (offerings.length > 0 || count > MOST_COMBINATIONS) return offerings;
  return buildProduct(properties.map(({ values }) => values)).map((choice) =>
    Object.fromEntries(properties.map(({ name }, at) => [toOfferingKey(name), choice[at] ?? ''])),
  );
}

function buildSeveral(
  { variations }: ListingRequest,
  { match, path: at }: OfferingChange,
  found: readonly Offering[],
): Issue {
  const keys = (variations?.properties ?? []).map(({ name }) => toOfferingKey(name));
  const labels = found.map((one) => toLabel(one, keys));
  const { sku, values } = match;
  const by = sku !== undefined ? 'sku' : values === undefined ? 'nothing' : 'values';
  return { code: 'offering_ambiguous', at, params: { by, sku, count: found.length, labels } };
}

/** Matches a listing without variations by its SKU, or without a criterion. */
function isTheOnly({ listing }: ListingRequest, { match }: OfferingChange): boolean {
  return match.values === undefined && (match.sku === undefined || match.sku === listing.sku);
}

/** Writes a price in each shop to change, replacing a shop's own price unless own prices are kept. */
function setOnly(
  { listing, shops }: ListingRequest,
  { set }: OfferingChange,
  named: readonly number[] | undefined,
  own_prices: OwnPrices,
): void {
  const targets = shops.filter(({ shop_id }) => named?.includes(shop_id) !== false);
  const isEverywhere = targets.length === shops.length;
  if (set.price !== undefined) {
    if (isEverywhere) listing.price = set.price;
    for (const target of own_prices === 'written' ? targets : []) {
      if (target.price !== undefined || !isEverywhere) target.price = set.price;
    }
  }
  // A request always sells something; in a shop, a listing with nothing to sell goes off sale.
  if (set.quantity !== undefined && !isNothing(set)) listing.quantity = set.quantity;
  if (set.sku !== undefined) listing.sku = set.sku;
}

/**
 * Warnings about shops that keep their own price although changes.offerings has another one for the only offering.
 */
export function listKeptPrices(
  { listing, shops, variations }: ListingRequest,
  changes: ListingChanges,
): Warning[] {
  const index = changes.offerings?.findLastIndex(({ price }) => price !== undefined) ?? -1;
  if (index === -1 || (variations?.properties?.length ?? 0) > 0) return [];
  const isGiven = (shop_id: number) =>
    changes.shops?.some((own) => own.shop_id === shop_id && own.price !== undefined) === true;
  return shops
    .filter(({ shop_id, price }) => price !== undefined && price !== listing.price && !isGiven(shop_id))
    .map(({ shop_id, price }) => ({
      code: 'ignored_field',
      fields: [`changes.offerings[${index}].price`],
      reason: { code: 'shop_price_stays', params: { shop_id, price } },
    }));
}

/** Whether entries of changes.offerings leave nothing to sell in a listing without variations. */
export function leavesNothing({ variations }: ListingRequest, offerings: readonly OfferingPatch[]): boolean {
  const isVaried = (variations?.properties?.length ?? 0) > 0;
  return !isVaried && offerings.some(({ quantity, enabled }) => isNothing({ quantity, is_enabled: enabled }));
}

function isNothing({
  quantity,
  is_enabled,
}: Pick<OfferingChange['set'], 'quantity' | 'is_enabled'>): boolean {
  return quantity === 0 || is_enabled === false;
}

function setOffering(offering: Offering, { set }: OfferingChange): void {
  if (set.price !== undefined) offering.price = set.price;
  if (set.quantity !== undefined) offering.quantity = set.quantity;
  if (set.sku !== undefined) offering.sku = set.sku;
  if (set.is_enabled !== undefined) offering.enabled = set.is_enabled;
}
