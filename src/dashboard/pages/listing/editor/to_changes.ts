import type { CopyTargets } from '../../../../../schemas/copy.js';
import type { ListingChanges } from '../../../../../schemas/listing_changes.js';
import type { ListingRequest, OfferingPatch } from '../../../../../schemas/listing_request.js';
import { toOfferingKey } from '../../../../core/listings/rules/variation_rules.js';
import type { ConnectedShop } from '../../../../core/ports/index.js';
import { toCanonicalJson } from '../../../../core/text/canonical_json.js';
import { readNumber } from '../../changes/numbers.js';
import { ADDED } from './problems.js';
import { canEditVariations, toValues } from './from_request.js';
import { buildRequest, buildTarget, type Places } from './to_request.js';
import {
  listAllCurrencies,
  listTicked,
  readOptions,
  readRows,
  shopField,
  writeKey,
  type Row,
  type Scope,
  type Values,
} from './values.js';

/** A merge patch, the shops that are ticked or unticked, and the form fields behind the paths of both. */
export type Changed = {
  changes: ListingChanges | undefined;
  added: CopyTargets;
  removed: number[];
  places: Places;
};

/**
 * Only the form's changes to the saved listing: a field with an unchanged value is omitted, so that it stays
 * unchanged in each shop.
 */
export function buildChanges(given: Values, request: ListingRequest, all: Scope): Changed {
  const isOwn = ({ shop_id }: ConnectedShop) => request.shops.some((target) => target.shop_id === shop_id);
  const scope = { ...all, shops: all.shops.filter(isOwn) };
  const isTicked = (shop_id: number) => given.getAll('shop').includes(String(shop_id));
  const added = listTicked(given, all)
    .filter((shop) => !isOwn(shop))
    .map((shop, index) => buildTarget(given, all, shop, index));
  const saved = toValues(request, scope);
  const [was, is] = [buildRequest(saved, scope).request, buildRequest(given, scope).request];
  const listing = patch(was.listing, is.listing, (field) => field !== 'price');
  const variations = canEditVariations(request)
    ? patchVariations(given, saved, { request, was, is, scope })
    : undefined;
  // If shared prices are rewritten, also patch shops that a later call removes: their prices may differ.
  const priced = variations?.shared ? scope : { ...scope, shops: listTicked(given, scope) };
  const shops = patchShops(given, saved, priced, variations?.shared);
  const attributes = scope.category && patchAttributes(was, is, request);
  const changes = {
    ...(listing && { listing }),
    ...(isOther(was.images, is.images) && { images: is.images ?? null }),
    ...(isOther(was.digital_files, is.digital_files) && { digital_files: is.digital_files ?? null }),
    ...(isOther(was.videos, is.videos) && { videos: is.videos ?? null }),
    ...(attributes && { category_attributes: attributes }),
    ...(isOther(was.personalization, is.personalization) && {
      personalization: is.personalization ? patch(was.personalization ?? {}, is.personalization) : null,
    }),
    ...(variations?.all !== undefined && { variations: variations.all }),
    ...(variations?.offerings && { offerings: variations.offerings.map(({ patch: one }) => one) }),
    ...(shops.length > 0 && { shops: shops.map(({ target }) => target) }),
  };
  return {
    // The operation refuses values of the wrong type.
    changes: Object.keys(changes).length > 0 ? (changes as ListingChanges) : undefined,
    added: added.map(({ target }) => target),
    removed: scope.shops.flatMap(({ shop_id }) => (isTicked(shop_id) ? [] : [shop_id])),
    places: [
      ...added.flatMap((shop) =>
        shop.places.map(([path, field]): [string, string] => [`${ADDED}${path}`, field]),
      ),
      ...(variations?.offerings ?? []).map(({ place }, index): [string, string] => [
        `offerings[${index}]`,
        `row_stock_${place}`,
      ]),
      ...shops.flatMap(({ places }, index) =>
        places.map(([path, field]): [string, string] => [`shops[${index}].${path}`, field]),
      ),
      ...buildRequest(given, scope).places.filter(([path]) => !path.startsWith('shops')),
    ],
  };
}

function isOther(was: unknown, is: unknown): boolean {
  return toCanonicalJson(was ?? null) !== toCanonicalJson(is ?? null);
}

/** The fields that differ; null for one that is blank now. */
function patch(
  was: Record<string, unknown>,
  is: Record<string, unknown>,
  counts: (field: string) => boolean = () => true,
): Record<string, unknown> | undefined {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter((name) => counts(name) && isOther(was[name], is[name]));
  return differing.length === 0
    ? undefined
    : Object.fromEntries(differing.map((name) => [name, is[name] ?? null]));
}

/** Removes attributes that the new category does not have; keeps those that the form does not know. */
function patchAttributes(
  was: ListingRequest,
  is: ListingRequest,
  { category_attributes = {} }: ListingRequest,
) {
  const isSame = was.listing.taxonomy_id === is.listing.taxonomy_id;
  const before = isSame ? (was.category_attributes ?? {}) : category_attributes;
  const found = patch(before, is.category_attributes ?? {});
  // The ids replace readable values that were saved with other ids.
  return (
    found &&
    Object.fromEntries(
      Object.entries(found).map(([id, value]) => [id, value && { values: null, scale_id: null, ...value }]),
    )
  );
}

type Sides = { request: ListingRequest; was: ListingRequest; is: ListingRequest; scope: Scope };
type RowPatch = { place: number; patch: OfferingPatch };

/**
 * Changes single combinations if the options stay the same, and everything otherwise. patchShops writes the prices.
 * `shared`: the shared prices of rewritten combinations.
 */
function patchVariations(given: Values, saved: Values, { request, was, is, scope }: Sides) {
  const { offerings: before = [], variation_images: wasPictured, ...wasOptions } = was.variations ?? {};
  const { variation_images: isPictured, ...now } = is.variations ?? {};
  const { offerings: after = [], ...isOptions } = now;
  const options = readOptions(given);
  const isPicturedOther = isOther(wasPictured, isPictured);
  if (toLabels(wasOptions) === toLabels(isOptions)) {
    const offerings = patchRows(given, saved, scope);
    return {
      offerings: offerings.length > 0 ? offerings : undefined,
      all: isPicturedOther
        ? { variation_images: isPictured ? withoutGone(wasPictured, isPictured) : null }
        : undefined,
    };
  }
  if (options.length === 0) return { all: before.length > 0 || wasOptions.properties ? null : undefined };
  const keys = options.map(({ name }) => toOfferingKey(name));
  const toKey = (offering: Record<string, unknown>) => writeKey(keys.map((key) => String(offering[key])));
  const known = new Map((request.variations?.offerings ?? []).map((offering) => [toKey(offering), offering]));
  const properties = (isOptions.properties ?? []).map((property) => ({
    ...request.variations?.properties?.find(({ name }) => name === property.name),
    ...property,
    ...keepProperty(request, property.name),
  }));
  return {
    shared: new Map(after.map((offering) => [toKey(offering), offering.price])),
    all: {
      properties,
      // A combination keeps the values that the form does not show.
      offerings: after.map((offering) => {
        const { processing_profile_id } = known.get(toKey(offering)) ?? {};
        return { ...offering, ...(processing_profile_id !== undefined && { processing_profile_id }) };
      }),
      ...(isPicturedOther && { variation_images: isPictured ?? null }),
    },
  };
}

/** A property of the listing stays the same one as long as it has the same name. */
function keepProperty({ variations }: ListingRequest, name: string) {
  const known = variations?.properties?.find((property) => property.name === name);
  return known && { property_id: known.property_id };
}

function toLabels({
  properties = [],
}: {
  properties?: { name: string; values: string[]; scale_id?: number | undefined }[] | undefined;
}) {
  return JSON.stringify(properties.map(({ name, values, scale_id }) => [name, values, scale_id ?? null]));
}

type Pictures = NonNullable<NonNullable<ListingRequest['variations']>['variation_images']>;

function withoutGone(was: Pictures | undefined, is: Pictures) {
  const gone = Object.keys(was?.mapping ?? {}).filter((value) => is.mapping?.[value] === undefined);
  return { ...is, mapping: { ...is.mapping, ...Object.fromEntries(gone.map((value) => [value, null])) } };
}

/** Quantity, SKU and whether it is offered, for the rows that differ. */
function patchRows(given: Values, saved: Values, scope: Scope): RowPatch[] {
  const before = indexRows(saved, scope);
  return listRows(given, scope).flatMap(({ row, keys }, place): RowPatch[] => {
    const was = before.get(writeKey(row.key));
    const general = readNumber(given.get('quantity'));
    const quantity = readNumber(row.stock) ?? general;
    const isOtherStock = was?.stock.trim() !== row.stock.trim();
    const changed = {
      ...(isOtherStock && quantity !== undefined && { quantity }),
      ...(was?.sku.trim() !== row.sku.trim() && { sku_new: row.sku.trim() }),
      ...(was?.is_on !== row.is_on && { enabled: row.is_on }),
    };
    return Object.keys(changed).length > 0 ? [{ place, patch: { ...keys, ...changed } }] : [];
  });
}

function listRows(values: Values, scope: Scope) {
  const names = readOptions(values).map(({ name }) => toOfferingKey(name));
  return readRows(values, listAllCurrencies(scope)).map((row) => ({
    row,
    keys: Object.fromEntries(names.map((name, index) => [name, row.key[index] ?? ''])) as Record<
      string,
      string
    >,
  }));
}

function indexRows(values: Values, scope: Scope): Map<string, Row> {
  return new Map(listRows(values, scope).map(({ row }) => [writeKey(row.key), row]));
}

/**
 * The differences in each shop. Prices are written only in shops with their currency.
 * @param shared see patchVariations
 */
function patchShops(
  given: Values,
  saved: Values,
  scope: Scope,
  shared: ReadonlyMap<string, number | undefined> | undefined,
) {
  const before = indexRows(saved, scope);
  return scope.shops.flatMap((shop) => {
    const { shop_id, details } = shop;
    const code = details.currency_code;
    const readPrice = (row: Row | undefined) => readNumber(row?.prices.get(code) ?? '');
    const toPrice = (values: Values) =>
      readNumber(values.get(shopField.price(shop_id))) ?? readNumber(values.get(`price_${code}`));
    const [was, is] = [toPrice(saved), toPrice(given)];
    const priced = listRows(given, scope).flatMap(({ row, keys }, place) => {
      const key = writeKey(row.key);
      const known = shared ? shared.get(key) : readPrice(before.get(key));
      // A combination without a price has the shop's.
      const price = readPrice(row) ?? (known === undefined ? undefined : is);
      const isSame = price === undefined || price === known;
      return isSame || !row.is_on ? [] : [{ place, patch: { ...keys, price } }];
    });
    const ids = [
      ['shipping_profile_id', shopField.shipping],
      ['return_policy_id', shopField.returns],
      ['processing_profile_id', shopField.processing],
      ['shop_section_id', shopField.section],
    ] as const;
    const differing = ids.filter(
      ([, toName]) => (saved.get(toName(shop_id)) ?? '') !== (given.get(toName(shop_id)) ?? ''),
    );
    const partners = [saved, given].map((values) =>
      values
        .getAll(shopField.partners(shop_id))
        .map(Number)
        .sort((a, b) => a - b),
    );
    const target = {
      shop_id,
      ...(is !== was && { price: is ?? null }),
      ...Object.fromEntries(
        differing.map(([field, toName]) => [field, Number(given.get(toName(shop_id))) || null]),
      ),
      ...(isOther(partners[0], partners[1]) && { production_partner_ids: partners[1] }),
      ...(priced.length > 0 && { overrides: { offerings: priced.map(({ patch: one }) => one) } }),
    };
    if (Object.keys(target).length === 1) return [];
    const hasOwn = (given.get(shopField.price(shop_id)) ?? '').trim() !== '';
    const places: Places = [
      ...priced.map(({ place }, at): [string, string] => [
        `overrides.offerings[${at}]`,
        `row_price_${code}_${place}`,
      ]),
      ['price', hasOwn ? shopField.price(shop_id) : `price_${code}`],
      ...ids.map(([field, toName]): [string, string] => [field, toName(shop_id)]),
    ];
    return [{ target, places }];
  });
}
