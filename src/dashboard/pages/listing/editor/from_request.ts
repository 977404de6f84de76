import type { ListingRequest, Offering } from '../../../../../schemas/listing_request.js';
import { isSameText } from '../../../../core/listings/rules/text.js';
import { toOfferingKey } from '../../../../core/listings/rules/variation_rules.js';
import { listAllOfferings } from '../../../../core/listings/resolve/changes/patch_offerings.js';
import { setMoreFields } from './more/fields.js';
import { toRankOrder } from '../product/gallery.js';
import {
  listAllCurrencies,
  MOST_ROWS,
  shopField,
  writePhotos,
  writeRows,
  type Row,
  type Scope,
  type Values,
} from './values.js';

type Target = ListingRequest['shops'][number];

/** The fields of the form for a saved listing. */
export function toValues(request: ListingRequest, scope: Scope): Values {
  const { listing } = request;
  const values = new URLSearchParams();
  const set = (name: string, value: string | number | undefined | null) =>
    values.set(name, String(value ?? ''));
  set('title', listing.title);
  set('description', listing.description);
  set('listing_type', listing.listing_type);
  set('category_id', listing.taxonomy_id);
  set('tags', listing.tags?.join(', '));
  set('materials', listing.materials?.join(', '));
  set('who_made', listing.who_made);
  set('when_made', listing.when_made);
  set('is_supply', listing.is_supply === undefined ? '' : listing.is_supply ? 'yes' : 'no');
  set('quantity', listing.quantity);
  set('sku', request.variations ? '' : listing.sku);
  setMoreFields(values, request);
  writePhotos(values, listPhotos(request));
  for (const { url } of request.digital_files ?? []) values.append('digital', url);
  for (const { url } of request.videos ?? []) values.append('video', url);
  setAttributes(values, request, scope);
  setShops(values, request, scope);
  if (canEditVariations(request)) setVariations(values, request, scope);
  return values;
}

/** Whether the table of combinations fits a page. */
export function canEditVariations({ variations }: ListingRequest): boolean {
  const { properties = [] } = variations ?? {};
  return properties.reduce((count, property) => count * property.values.length, 1) <= MOST_ROWS;
}

function listPhotos({ images = [] }: ListingRequest) {
  return toRankOrder(images).flatMap((place) => {
    const image = images[place];
    return image ? [{ url: image.url, alt: image.alt_text ?? '' }] : [];
  });
}

function setAttributes(
  values: Values,
  { category_attributes = {} }: ListingRequest,
  { category }: Scope,
): void {
  for (const [property_id, { value_ids = [], values: names = [], scale_id }] of Object.entries(
    category_attributes,
  )) {
    const known = category?.category_attributes.find(
      (attribute) => String(attribute.property_id) === property_id,
    );
    const toId = (name: string) =>
      known?.possible_values.find((value) => isSameText(value.name, name))?.value_id ?? name;
    for (const value of value_ids.length > 0 ? value_ids : names.map(toId)) {
      values.append(`attribute_${property_id}`, String(value));
    }
    if (scale_id !== undefined && known?.possible_values.length === 0) {
      values.set(`attribute_scale_${property_id}`, String(scale_id));
    }
  }
}

/** Attributes for which the form has no field keep their saved values as long as the category stays. */
export function keepUnknown(given: Values, saved: Values, { category }: Scope): void {
  if (given.get('category_id') !== saved.get('category_id')) return;
  const known = new Set(category?.category_attributes.map(({ property_id }) => String(property_id)));
  for (const name of new Set(saved.keys())) {
    const [, property_id] = /^attribute_(?:scale_)?(\d+)$/.exec(name) ?? [];
    if (property_id === undefined || known.has(property_id) || given.has(name)) continue;
    for (const value of saved.getAll(name)) given.append(name, value);
  }
}

/** For each currency, the price of most of its shops, and the own prices of the others. */
function setShops(values: Values, request: ListingRequest, scope: Scope): void {
  const { shops, listing } = request;
  const findCode = (id: number | undefined) =>
    scope.shops.find(({ shop_id }) => shop_id === id)?.details.currency_code;
  const first = findCode(shops[0]?.shop_id);
  const priced = scope.shops.flatMap((shop) => {
    const code = shop.details.currency_code;
    const target = shops.find(({ shop_id }) => shop_id === shop.shop_id);
    if (!target) return [];
    // A listing price that no combination uses is in the first shop's currency.
    const shared = code === first || usesListingPrice(request, target) ? listing.price : undefined;
    return [{ target, code, price: target.price ?? shared }];
  });
  for (const code of listAllCurrencies(scope)) {
    const own = priced.filter((one) => one.code === code);
    const prices = own.flatMap(({ price }) => (price === undefined ? [] : [price]));
    const count = (price: number) => prices.filter((known) => known === price).length;
    const [most] = [...prices].sort((a, b) => count(b) - count(a));
    // A shop without a price must not appear to have that of another shop.
    values.set(`price_${code}`, prices.length < own.length ? '' : String(most ?? ''));
  }
  for (const { target, code, price } of priced) {
    values.append('shop', String(target.shop_id));
    setShop(values, target);
    const isOwn = price !== undefined && String(price) !== values.get(`price_${code}`);
    values.set(shopField.price(target.shop_id), isOwn ? String(price) : '');
  }
}

/** Whether an offered combination has no price of its own in this shop, so that the listing's price applies. */
function usesListingPrice(request: ListingRequest, { overrides }: Target): boolean {
  const keys = (request.variations?.properties ?? []).map(({ name }) => toOfferingKey(name));
  const own = new Set(
    (overrides?.offerings ?? []).flatMap((patch) => (patch.price === undefined ? [] : toKey(patch, keys))),
  );
  return listAllOfferings(request).some(
    (offering) =>
      offering.enabled !== false && offering.price === undefined && !own.has(toKey(offering, keys)),
  );
}

function setShop(values: Values, target: Target): void {
  const { shop_id } = target;
  const ids = [
    [shopField.shipping, target.shipping_profile_id],
    [shopField.returns, target.return_policy_id],
    [shopField.processing, target.processing_profile_id],
    [shopField.section, target.shop_section_id],
  ] as const;
  for (const [toName, id] of ids) values.set(toName(shop_id), String(id ?? ''));
  for (const id of target.production_partner_ids ?? [])
    values.append(shopField.partners(shop_id), String(id));
}

function setVariations(values: Values, request: ListingRequest, scope: Scope): void {
  const { properties = [], offerings: given = [], variation_images: images } = request.variations ?? {};
  if (properties.length === 0) return;
  for (const { name, values: options, scale_id } of properties) {
    values.append('option_name', name);
    values.append('option_values', options.join('\n'));
    values.append('option_scale', String(scale_id ?? ''));
  }
  const currencies = listAllCurrencies(scope);
  const keys = properties.map(({ name }) => toOfferingKey(name));
  const known = new Map(given.map((offering) => [toKey(offering, keys), offering]));
  const all = listAllOfferings({ ...request, variations: { properties } });
  const rows = all.map((combination): Row => {
    const offering = given.length === 0 ? combination : known.get(toKey(combination, keys));
    return {
      key: keys.map((key) => String(combination[key])),
      is_on: offering !== undefined && offering.enabled !== false,
      prices: new Map(
        currencies.map((code) => [code, findPrice(code, combination, offering, { request, scope, keys })]),
      ),
      stock: String(offering?.quantity ?? ''),
      sku: offering?.sku ?? '',
    };
  });
  writeRows(values, rows, currencies);
  const pictured = properties.findIndex(
    ({ name }) => toOfferingKey(name) === toOfferingKey(images?.property ?? ''),
  );
  if (pictured === -1) return;
  values.set('pictured', String(pictured));
  for (const value of properties[pictured]?.values ?? []) {
    const place = images?.mapping?.[value];
    values.append('picture_of', value);
    values.append('picture', (place === undefined ? undefined : request.images?.[place]?.url) ?? '');
  }
}

/** The price of a combination in the first shop of a currency; blank if it uses the shop's price. */
function findPrice(
  code: string,
  combination: Offering,
  offering: Offering | undefined,
  { request, scope, keys }: { request: ListingRequest; scope: Scope; keys: readonly string[] },
): string {
  const isOfCurrency = (id: number) =>
    scope.shops.some(({ shop_id, details }) => shop_id === id && details.currency_code === code);
  const target = request.shops.find(({ shop_id }) => isOfCurrency(shop_id));
  // The prices of other shops are in another currency.
  if (!target) return '';
  const own = target.overrides?.offerings?.find((patch) => toKey(patch, keys) === toKey(combination, keys));
  return String(own?.price ?? offering?.price ?? '');
}

function toKey(offering: Record<string, unknown>, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => offering[key]));
}
