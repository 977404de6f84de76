import type { ListingRequest, Offering, VariationProperty } from '../../../../../schemas/listing_request.js';
import { MARKETPLACE_FACTS } from '../../../../../schemas/marketplace_facts.js';
import { toOfferingKey } from '../../../../core/listings/rules/variation_rules.js';
import { isSameText } from '../../../../core/listings/rules/text.js';
import type { ConnectedShop } from '../../../../core/ports/index.js';
import { readNumber } from '../../changes/numbers.js';
import { buildMoreFields, buildPersonalization } from './more/fields.js';
import {
  listCurrencies,
  listTicked,
  read,
  readOptions,
  readPhotos,
  readRows,
  readTrimmed,
  readWords,
  shopField,
  type Option,
  type Row,
  type Scope,
  type Values,
} from './values.js';

/** Paths of a request and the ids of the form's fields behind them, longer paths first. */
export type Places = [path: string, field: string][];

/**
 * The request that the form describes, without blank fields. Unreadable numbers are omitted as well; they
 * have problems of their own.
 */
export function buildRequest(values: Values, scope: Scope): { request: ListingRequest; places: Places } {
  const shops = listTicked(values, scope);
  const [currency] = listCurrencies(values, scope);
  const isDigital = values.get('listing_type') === 'digital';
  const table = buildVariations(values, scope, currency ?? '');
  const price = readNumber(values.get(`price_${currency}`));
  const quantity = readNumber(values.get('quantity'));
  const sku = readTrimmed(values, 'sku');
  const taxonomy_id = Number(values.get('category_id') ?? '');
  const digital = values.getAll('digital');
  const videos = values.getAll('video');
  const photos = readPhotos(values);
  const attributes = buildAttributes(values, scope);
  const listing = {
    title: readTrimmed(values, 'title'),
    description: read(values, 'description'),
    listing_type: isDigital ? 'digital' : 'physical',
    ...(taxonomy_id > 0 && { taxonomy_id }),
    ...(price !== undefined && { price }),
    ...(quantity !== undefined && { quantity }),
    ...(sku !== '' && !table && { sku }),
    ...buildMaking(values),
    tags: readWords(values, 'tags'),
    materials: readWords(values, 'materials'),
    ...buildMoreFields(values),
  };
  const targets = shops.map((shop, index) => buildShop(values, { shop, index, currency, isDigital, table }));
  const request = {
    shops: targets.map(({ target }) => target),
    // The form may be unfinished: the operation refuses missing fields.
    listing: listing as ListingRequest['listing'],
    ...(photos.length > 0 && {
      images: photos.map(({ url, alt }) => ({ url, ...(alt.trim() !== '' && { alt_text: alt.trim() }) })),
    }),
    ...(isDigital && digital.length > 0 && { digital_files: digital.map((url) => ({ url })) }),
    ...(videos.length > 0 && { videos: videos.map((url) => ({ url })) }),
    ...(Object.keys(attributes).length > 0 && { category_attributes: attributes }),
    ...(table && { variations: table.variations }),
    ...buildPersonalization(values),
  };
  const places: Places = [
    ...targets.flatMap((target) => target.places),
    ...(table?.places ?? []),
    ...(currency === undefined ? [] : ([['listing.price', `price_${currency}`]] as Places)),
  ];
  return { request, places };
}

/** The form's values for a shop that a saved listing is added to: every price is the shop's own. */
export function buildTarget(values: Values, scope: Scope, shop: ConnectedShop, index: number) {
  const table = buildVariations(values, scope, shop.details.currency_code);
  const isDigital = values.get('listing_type') === 'digital';
  return buildShop(values, { shop, index, currency: undefined, isDigital, table });
}

function buildMaking(values: Values) {
  const [who_made = '', when_made = '', supply = ''] = ['who_made', 'when_made', 'is_supply'].map((name) =>
    readTrimmed(values, name),
  );
  return {
    ...(who_made !== '' && { who_made: who_made as 'i_did' }),
    ...(when_made !== '' && { when_made }),
    ...(supply !== '' && { is_supply: supply === 'yes' }),
  };
}

function buildAttributes(values: Values, { category }: Scope) {
  const found: NonNullable<ListingRequest['category_attributes']> = {};
  for (const { property_id, possible_values } of category?.category_attributes ?? []) {
    const given = values.getAll(`attribute_${property_id}`).filter((value) => value.trim() !== '');
    if (given.length === 0) continue;
    const scale_id = Number(values.get(`attribute_scale_${property_id}`) ?? '');
    found[String(property_id)] =
      possible_values.length > 0
        ? { value_ids: given.map(Number) }
        : { values: given.map((value) => value.trim()), ...(scale_id > 0 && { scale_id }) };
  }
  return found;
}

type Table = {
  variations: NonNullable<ListingRequest['variations']>;
  /** The rows that are offered, each with its position in the table of the form. */
  rows: { row: Row; place: number; keys: Record<string, string> }[];
  places: Places;
};

function buildVariations(values: Values, scope: Scope, currency: string): Table | undefined {
  const options = readOptions(values);
  if (options.length === 0) return undefined;
  const rows = readRows(values, listCurrencies(values, scope)).flatMap((row, place) => {
    const pairs = options.map(({ name }, index) => [toOfferingKey(name), row.key[index] ?? '']);
    return row.is_on ? [{ row, place, keys: Object.fromEntries(pairs) as Record<string, string> }] : [];
  });
  const offerings = rows.map(({ row, keys }): Offering => {
    const price = readNumber(row.prices.get(currency) ?? '');
    const quantity = readNumber(row.stock);
    const sku = row.sku.trim();
    return {
      ...keys,
      ...(price !== undefined && { price }),
      ...(quantity !== undefined && { quantity }),
      ...(sku !== '' && { sku }),
    };
  });
  return {
    variations: {
      properties: options.map((option, index) => buildProperty(option, index, scope)),
      offerings,
      ...buildPhotos(values, options),
    },
    rows,
    places: [
      ...options.flatMap((_, index): Places => [
        [`variations.properties[${index}].values`, `option_values_${index}`],
        [`variations.properties[${index}].scale_id`, `option_scale_${index}`],
        [`variations.properties[${index}]`, `option_name_${index}`],
      ]),
      ...rows.flatMap(({ place }, index): Places => [
        [`variations.offerings[${index}].price`, `row_price_${currency}_${place}`],
        [`variations.offerings[${index}].quantity`, `row_stock_${place}`],
        [`variations.offerings[${index}].sku`, `row_sku_${place}`],
        [`variations.offerings[${index}]`, `row_on_${place}`],
      ]),
    ],
  };
}

/**
 * The category's property with that name, unless its values or its scale do not fit; otherwise a property
 * with the seller's own name.
 */
function buildProperty(
  { name, values, scale }: Option,
  index: number,
  { category }: Scope,
): VariationProperty {
  const known = findProperty(name, category);
  const scale_id = Number(scale);
  const isFitting =
    known !== undefined &&
    (known.scales.length === 0 || scale_id > 0) &&
    (known.possible_values.length === 0 ||
      values.every((value) => known.possible_values.some((possible) => isSameText(possible.name, value))));
  return {
    property_id: isFitting ? known.property_id : (MARKETPLACE_FACTS.custom_property_ids[index] ?? 0),
    name,
    ...(isFitting && scale_id > 0 && { scale_id }),
    values,
  };
}

export function findProperty(name: string, category: Scope['category']) {
  return category?.variation_properties.find(
    (property) => isSameText(property.display_name, name) || isSameText(property.name, name),
  );
}

/** Photos of the values of one option, by their position among the photos. */
function buildPhotos(values: Values, options: readonly Option[]) {
  const urls = readPhotos(values).map(({ url }) => url);
  const option = options[Number(values.get('pictured') ?? '')];
  if (values.get('pictured') === null || values.get('pictured') === '' || !option) return {};
  const chosen = values.getAll('picture_of').map((value, index) => {
    const place = urls.indexOf(values.getAll('picture')[index] ?? '');
    return [value, place] as const;
  });
  const mapping = Object.fromEntries(
    chosen.filter(([value, place]) => place !== -1 && option.values.includes(value)),
  );
  return Object.keys(mapping).length > 0 ? { variation_images: { property: option.name, mapping } } : {};
}

type ShopParts = {
  shop: ConnectedShop;
  index: number;
  /** The currency of listing.price. */
  currency: string | undefined;
  isDigital: boolean;
  table: Table | undefined;
};

/**
 * A shop with another currency has an explicit value for each price: a number never moves from one currency
 * to another.
 */
function buildShop(values: Values, { shop, index, currency, isDigital, table }: ShopParts) {
  const { shop_id, details } = shop;
  const code = details.currency_code;
  const own = readNumber(values.get(shopField.price(shop_id)));
  const general = readNumber(values.get(`price_${code}`));
  const price = own ?? (code === currency ? undefined : general);
  const patches = code === currency ? [] : listPrices(table, { code, currency, general: price });
  const partners = values.getAll(shopField.partners(shop_id)).map(Number);
  const id = (name: string) => {
    const value = Number(values.get(name) ?? '');
    return value > 0 ? value : undefined;
  };
  const target = {
    shop_id,
    price,
    ...(!isDigital && {
      shipping_profile_id: id(shopField.shipping(shop_id)),
      return_policy_id: id(shopField.returns(shop_id)),
      processing_profile_id: id(shopField.processing(shop_id)),
    }),
    shop_section_id: id(shopField.section(shop_id)),
    ...(partners.length > 0 && { production_partner_ids: partners }),
    ...(patches.length > 0 && { overrides: { offerings: patches.map(({ patch }) => patch) } }),
  };
  const places: Places = [
    ...patches.map(({ place }, at): [string, string] => [
      `shops[${index}].overrides.offerings[${at}]`,
      `row_price_${code}_${place}`,
    ]),
    [`shops[${index}].price`, own === undefined ? `price_${code}` : shopField.price(shop_id)],
    [`shops[${index}].shipping_profile_id`, shopField.shipping(shop_id)],
    [`shops[${index}].return_policy_id`, shopField.returns(shop_id)],
    [`shops[${index}].processing_profile_id`, shopField.processing(shop_id)],
    [`shops[${index}].shop_section_id`, shopField.section(shop_id)],
    [`shops[${index}].production_partner_ids`, shopField.partners(shop_id)],
    [`shops[${index}]`, `shop_${shop_id}`],
  ];
  return { target: withoutUndefined(target), places };
}

/**
 * The prices of the combinations in a shop whose currency differs from that of the other prices. A combination
 * without a price in either currency has the shop's.
 */
function listPrices(
  table: Table | undefined,
  { code, currency, general }: { code: string; currency: string | undefined; general: number | undefined },
) {
  return (table?.rows ?? []).flatMap(({ row, place, keys }) => {
    const read = (of: string) => readNumber(row.prices.get(of) ?? '');
    const isShared = currency === undefined || read(currency) !== undefined;
    const price = read(code) ?? (isShared ? general : undefined);
    return price === undefined ? [] : [{ place, patch: { ...keys, price } }];
  });
}

function withoutUndefined<Target extends object>(target: Target): Target {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, without those that are undefined
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== undefined)) as Target;
}
