import type { ShopLists } from '../../../../schemas/shop.js';
import { MARKETPLACE_FACTS } from '../../../../schemas/marketplace_facts.js';
import type { Issue, Note } from '../../../../schemas/issue.js';
import type { ShopChoices } from '../../../../schemas/issues/facts.js';
import { addNotes, type FoundIssue } from '../../issues/issues.js';
import type { ConnectedShop, ShopRef } from '../../ports/index.js';
import { toShopChoices, type Shops } from '../../shops/shops.js';
import { getDecimals, hasDecimals } from '../rules/money.js';
import type { PartialRequest } from '../rules/index.js';
import {
  isReferenceField,
  listReferences,
  toList,
  type ReferenceField,
} from '../requests/shop_references.js';

type ShopFindings = {
  issues: Issue[];
  /** By position in shops[]; undefined if the shop is not connected. */
  shops: (ConnectedShop | undefined)[];
  /** All shops of the account. */
  connected: readonly ConnectedShop[];
};

type Target = NonNullable<NonNullable<PartialRequest['shops']>[number]>;

/**
 * Checks every id in shops[] and in offerings against the stored lists of each shop. Looks up a missing id live
 * once, unless `isLive` is false (a draft makes no marketplace calls).
 * @param isAsked whether to check the id at a path; if omitted, all are checked
 */
export async function checkShops(
  request: PartialRequest,
  account_id: string,
  shops: Shops,
  isLive: boolean,
  isAsked: (path: string) => boolean = () => true,
): Promise<ShopFindings> {
  const connected = await shops.listConnected(account_id);
  const live = isLive ? createLiveLists(shops) : undefined;
  const found = await Promise.all(
    (request.shops ?? []).map(async (target, index) => {
      const shop_id = target?.shop_id;
      if (!target || shop_id === undefined || shop_id < 1) return { issues: [], shop: undefined };
      const shop = connected.find((candidate) => candidate.shop_id === shop_id);
      if (!shop) return { issues: [buildUnconnected(shop_id, index, connected)], shop: undefined };
      if (shop.is_reconnect_required && isLive) return { issues: [], shop };
      const wanted = listWanted(request, target, index).filter(({ path }) => isAsked(path));
      return checkShop(request, target, index, shop, wanted, live);
    }),
  );
  const known = found.map(({ shop }) => shop);
  return {
    issues: nameShops(
      found.flatMap(({ issues }) => issues),
      known,
    ),
    shops: known,
    connected,
  };
}

async function checkShop(
  request: PartialRequest,
  target: Target,
  index: number,
  kept: ConnectedShop,
  wanted: readonly Wanted[],
  live: LiveLists | undefined,
): Promise<{ issues: Issue[]; shop: ConnectedShop }> {
  const shop = live ? await withLiveLists(kept, wanted, live) : kept;
  const issues: Issue[] = wanted
    .filter(({ field, value }) => !hasReference(shop.lists, field, value))
    .map(({ field, value, path }) => buildMissing(shop, field, value, path, live !== undefined));
  if (request.listing?.listing_type === 'physical' && shop.lists.processing_profiles.length === 0) {
    issues.push({
      code: 'processing_profile_missing',
      at: `shops[${index}].processing_profile_id`,
      params: { shop_name: shop.details.shop_name },
    });
  }
  return {
    issues: [
      ...issues,
      ...checkPrices(request, target, index, shop),
      ...(request.state === 'active' ? listVacation(`shops[${index}].shop_id`, shop) : []),
    ],
    shop,
  };
}

type Wanted = { field: ReferenceField; value: number; path: string };

function listWanted(request: PartialRequest, target: Target, index: number): Wanted[] {
  const at = `shops[${index}]`;
  const isPhysical = request.listing?.listing_type !== 'digital';
  const single = (
    ['shipping_profile_id', 'return_policy_id', 'processing_profile_id', 'shop_section_id'] as const
  )
    .filter((field) => isPhysical || field === 'shop_section_id')
    .flatMap((field) => {
      const value = target[field];
      return value === undefined || value < 1 ? [] : [{ field, value, path: `${at}.${field}` }];
    });
  const partners = (target.production_partner_ids ?? []).flatMap((value, position) =>
    value === undefined || value < 1
      ? []
      : [
          {
            field: 'production_partner_ids' as const,
            value,
            path: `${at}.production_partner_ids[${position}]`,
          },
        ],
  );
  const offerings = isPhysical ? (request.variations?.offerings ?? []) : [];
  const profiles = offerings.flatMap((offering, position) => {
    const value = offering?.processing_profile_id;
    const path = `variations.offerings[${position}].processing_profile_id`;
    return value === undefined || value < 1 ? [] : [{ field: 'processing_profile_id' as const, value, path }];
  });
  return [...single, ...partners, ...profiles];
}

type LiveLists = (shop: ShopRef, list: keyof ShopLists) => Promise<Partial<ShopLists>>;

/** Reads each list of each shop once, however often the request names the shop. */
function createLiveLists(shops: Shops): LiveLists {
  const reads = new Map<string, Promise<Partial<ShopLists>>>();
  return (shop, list) => {
    const key = `${shop.shop_id} ${list}`;
    const read = reads.get(key) ?? shops.getLive(shop, list);
    reads.set(key, read);
    return read;
  };
}

/** Reads lists with missing entries again. */
async function withLiveLists(
  shop: ConnectedShop,
  wanted: readonly Wanted[],
  live: LiveLists,
): Promise<ConnectedShop> {
  const stale = new Set(
    wanted
      .filter(({ field, value }) => !hasReference(shop.lists, field, value))
      .map(({ field }) => toList(field)),
  );
  if (stale.size === 0) return shop;
  const ref: ShopRef = { account_id: shop.account_id, shop_id: shop.shop_id };
  const read = await Promise.all([...stale].map((list) => live(ref, list)));
  return { ...shop, lists: Object.assign({}, shop.lists, ...read) as ShopLists };
}

function hasReference(lists: ShopLists, field: ReferenceField, value: number): boolean {
  return listReferences(lists, field).some(({ id }) => id === value);
}

function buildMissing(
  shop: ConnectedShop,
  field: ReferenceField,
  value: number,
  path: string,
  isLive: boolean,
): Issue {
  const choices = listReferences(shop.lists, field);
  const params = { field, id: value, shop_name: shop.details.shop_name, choices, is_fresh: isLive };
  return { code: 'reference_unknown', at: path, params };
}

function buildUnconnected(shop_id: number, index: number, connected: readonly ConnectedShop[]): Issue {
  const params = { shop_id, connected: toShopChoices(connected) };
  return { code: 'shop_not_connected', at: `shops[${index}].shop_id`, params };
}

/**
 * Adds the account's shops and their choices to issues about missing or wrong ids of shops, which are found without
 * reading the shops.
 */
export function withShopChoices(
  issues: readonly FoundIssue[],
  request: PartialRequest,
  findings: ShopFindings,
): FoundIssue[] {
  return issues.map((issue) => {
    const note = findChoices(issue.at, request, findings);
    return note ? addNotes(issue, note) : issue;
  });
}

/** Undefined if a value is given, or the path is not that of a shop's id. */
function findChoices(
  path: string,
  { shops: targets, variations }: PartialRequest,
  { shops, connected }: ShopFindings,
): Note | undefined {
  const [, position] = /^shops\[(\d+)\](?:\.shop_id)?$/.exec(path) ?? [];
  if (position !== undefined) {
    if (targets?.[Number(position)]?.shop_id !== undefined) return undefined;
    return { code: 'connected_shops', params: { choices: toShopChoices(connected) } };
  }
  const [, offering] = /^variations\.offerings\[(\d+)\]\.processing_profile_id$/.exec(path) ?? [];
  if (offering !== undefined) {
    if (variations?.offerings?.[Number(offering)]?.processing_profile_id !== undefined) return undefined;
    const known = new Set(shops.filter((shop) => shop !== undefined));
    if (known.size === 0) return undefined;
    return toChoicesNote([...known], 'processing_profile_id');
  }
  const [, index, field, item] = /^shops\[(\d+)\]\.(\w+)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const shop = shops[Number(index)];
  if (!shop || field === undefined || !isReferenceField(field)) return undefined;
  const given = targets?.[Number(index)]?.[field];
  const isGiven =
    Array.isArray(given) && item !== undefined ? given[Number(item)] !== undefined : given !== undefined;
  return isGiven ? undefined : toChoicesNote([shop], field);
}

/** Adds the names of shops, for sellers. */
export function nameShops<Found extends Issue>(
  issues: readonly Found[],
  shops: readonly (ConnectedShop | undefined)[],
): Found[] {
  return issues.map((issue) => {
    const [, index] = /^shops\[(\d+)\]/.exec(issue.at) ?? [];
    return { ...issue, shop_name: shops[Number(index)]?.details.shop_name };
  });
}

function toChoicesNote(shops: readonly ConnectedShop[], field: ReferenceField): Note {
  const choices = shops.map(({ details, lists }): ShopChoices => ({
    shop_name: details.shop_name,
    choices: listReferences(lists, field),
  }));
  return { code: 'shop_choices', params: { shops: choices } };
}

/** Buyers cannot order from a shop on vacation: the fee for a listing there would be wasted. */
export function listVacation(at: string, { details }: Pick<ConnectedShop, 'details'>): Issue[] {
  if (!details.is_vacation) return [];
  return [{ code: 'shop_on_vacation', at, params: { shop_name: details.shop_name } }];
}

function checkPrices(request: PartialRequest, target: Target, index: number, shop: ConnectedShop): Issue[] {
  const { currency_code } = shop.details;
  const decimals = getDecimals(currency_code);
  const most = currency_code === 'USD' ? MARKETPLACE_FACTS.price_max_usd : Infinity;
  const offerings = request.variations?.offerings ?? [];
  const prices = [
    target.price === undefined
      ? { path: 'listing.price', value: request.listing?.price }
      : { path: `shops[${index}].price`, value: target.price },
    ...offerings.map((offering, position) => ({
      path: `variations.offerings[${position}].price`,
      value: offering?.price,
    })),
  ];
  return prices.flatMap(({ path: at, value }): Issue[] => {
    if (value === undefined) return [];
    if (value > most) return [{ code: 'price_too_high', at, params: { value, most, currency_code } }];
    if (decimals === 2 || hasDecimals(value, decimals)) return [];
    return [{ code: 'price_decimals', at, params: { value, currency_code } }];
  });
}
