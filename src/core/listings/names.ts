import type { CategorySchema } from '../../../schemas/category.js';
import type { ListingRequest, ShopTarget } from '../../../schemas/listing_request.js';
import type { ShopDetails } from '../../../schemas/shop.js';
import type { Categories } from '../shops/categories.js';
import { cleanForeign } from '../text/foreign.js';
import type { ConnectedShop } from '../ports/index.js';
import type { Shops } from '../shops/shops.js';
import { listReferences, type ReferenceField } from './requests/shop_references.js';

/** Maps `shops[0].shipping_profile_id` to `Small parcel`. */
export type Names = Record<string, string>;

/** Uses only stored data: makes no marketplace calls, and omits unknown names. */
export type Naming = {
  /** The names of a request's ids, by path, for showing them to a seller. */
  nameIds(account_id: string, request: ListingRequest): Promise<Names>;
  nameShops(account_id: string): Promise<ShopNamer>;
};

/** Undefined for a shop that is no longer connected. */
export type ShopNamer = (shop_id: number) => Pick<ShopDetails, 'shop_name' | 'currency_code'> | undefined;

export function createNaming(shops: Shops, categories: Categories): Naming {
  async function nameIn(shops: readonly ConnectedShop[], request: ListingRequest): Promise<Names> {
    const { taxonomy_id } = request.listing;
    const [path, schema] = await Promise.all([
      categories.findKeptPath(taxonomy_id),
      categories.findKeptSchema(taxonomy_id),
    ]);
    const named = [
      ...request.shops.flatMap((target, index) => nameTarget(target, `shops[${index}]`, shops)),
      ['listing.taxonomy_id', path] as const,
      ...(schema ? nameAttributes(request, schema) : []),
    ];
    return Object.fromEntries(
      named.flatMap(([at, name]) => (name === undefined ? [] : [[at, cleanForeign(name, MAX_CHARS)]])),
    );
  }

  return {
    nameIds: async (account_id, request) => nameIn(await shops.listConnected(account_id), request),
    nameShops: async (account_id) => createShopNamer(await shops.listConnected(account_id)),
  };
}

function createShopNamer(shops: readonly ConnectedShop[]): ShopNamer {
  const known = new Map(shops.map(({ shop_id, details }) => [shop_id, details]));
  return (shop_id) => known.get(shop_id);
}

/** The longest category paths have 120 characters. */
const MAX_CHARS = 200;

type Named = readonly [path: string, name: string | undefined];

function nameTarget(target: ShopTarget, at: string, shops: readonly ConnectedShop[]): Named[] {
  const shop = shops.find(({ shop_id }) => shop_id === target.shop_id);
  if (!shop) return [];
  const find = (field: ReferenceField, wanted: number | undefined) =>
    listReferences(shop.lists, field).find(({ id }) => id === wanted)?.name;
  const single = (
    ['shipping_profile_id', 'return_policy_id', 'processing_profile_id', 'shop_section_id'] as const
  ).map((field): Named => [`${at}.${field}`, find(field, target[field])]);
  const partners = (target.production_partner_ids ?? []).map((id, position): Named => [
    `${at}.production_partner_ids[${position}]`,
    find('production_partner_ids', id),
  ]);
  return [[`${at}.shop_id`, shop.details.shop_name], ...single, ...partners];
}

function nameAttributes({ category_attributes = {} }: ListingRequest, schema: CategorySchema): Named[] {
  return Object.entries(category_attributes).flatMap(([key, { value_ids = [], scale_id }]): Named[] => {
    const known = schema.category_attributes.find(({ property_id }) => String(property_id) === key);
    const at = `category_attributes.${key}`;
    return [
      [at, known?.display_name],
      [`${at}.scale_id`, known?.scales.find((scale) => scale.scale_id === scale_id)?.display_name],
      ...value_ids.map((id, position): Named => [
        `${at}.value_ids[${position}]`,
        known?.possible_values.find(({ value_id }) => value_id === id)?.name,
      ]),
    ];
  });
}
