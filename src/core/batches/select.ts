import type { BatchFilter, BatchSelect } from '../../../schemas/batch.js';
import { MOST_LISTINGS } from '../../../schemas/batch.js';
import type { Issue } from '../../../schemas/issue.js';
import { ServiceError } from '../errors.js';
import { isSameText } from '../listings/rules/text.js';
import { listAllOfferings } from '../listings/resolve/changes/patch_offerings.js';
import { toShopRequest } from '../listings/requests/own_changes.js';
import { toShopChoices } from '../shops/shops.js';
import { eachItem } from './list_items.js';
import { buildNeedlessStatus, buildUnknownBatch } from './refusals.js';
import {
  MarketplaceError,
  type BatchPlace,
  type ConnectedShop,
  type ListingRecord,
  type Ports,
  type SeenPlace,
} from '../ports/index.js';

/** Listings that are read at a time. */
const PAGE = 100;

/** `shop_ids`: all shops that have one of the places. */
type Selected = { places: BatchPlace[]; shop_ids: number[]; issues: Issue[] };

type Parts = Pick<Ports, 'store' | 'marketplace'>;
type Scope = { account_id: string; shops: readonly ConnectedShop[]; only: readonly number[] | undefined };

/**
 * Resolves a selection once: the batch is about these listings, no matter which listings match later. Throws BATCH_NOT_FOUND,
 * BATCH_TOO_LARGE.
 */
export async function selectPlaces(parts: Parts, select: BatchSelect, scope: Scope): Promise<Selected> {
  const { store } = parts;
  const { listing_pks, batch_id, filter } = select;
  const given = [listing_pks, batch_id, filter].filter((way) => way !== undefined);
  if (given.length !== 1) {
    const ways = ['listing_pks', 'batch_id', 'filter'];
    return refuse([{ code: 'select_one_of', at: 'select', params: { ways } }]);
  }
  if (select.item_status !== undefined && batch_id === undefined) {
    return refuse([buildNeedlessStatus('select.item_status')]);
  }
  if (listing_pks) return selectByPks(store, listing_pks, scope);
  if (batch_id !== undefined) return selectFromBatch(store, batch_id, select.item_status, scope);
  return selectByFilter(parts, filter ?? {}, scope);
}

async function selectByPks(store: Ports['store'], pks: readonly number[], scope: Scope): Promise<Selected> {
  const places: BatchPlace[] = [];
  const issues: Issue[] = [];
  const shop_ids = new Set<number>();
  for (const listing_pk of new Set(pks)) {
    const listing = await store.listings.findListing(scope.account_id, listing_pk);
    if (listing) {
      places.push(toPlace(listing_pk, scope.only));
      for (const { shop_id } of listing.request.shops) {
        if (scope.only?.includes(shop_id) ?? true) shop_ids.add(shop_id);
      }
    } else {
      const at = `select.listing_pks[${pks.indexOf(listing_pk)}]`;
      issues.push({
        code: 'select_value_wrong',
        at,
        params: { expected: 'a listing_pk that listings_list returns' },
      });
    }
  }
  return { places, shop_ids: [...shop_ids], issues };
}

async function selectFromBatch(
  store: Ports['store'],
  batch_id: string,
  item_status: BatchSelect['item_status'],
  { account_id, only }: Scope,
): Promise<Selected> {
  const batch = await store.batches.findBatch(account_id, batch_id);
  if (!batch) throw buildUnknownBatch(batch_id);
  const shops = new Map<number, number[]>();
  for await (const { listing_pk, shop_id } of eachItem(store, batch, item_status)) {
    if (only && !only.includes(shop_id)) continue;
    shops.set(listing_pk, [...(shops.get(listing_pk) ?? []), shop_id]);
  }
  const places = [...shops].map(([listing_pk, shop_ids]) => ({ listing_pk, shop_ids }));
  if (places.length === 0) return refuse([buildEmpty('select.item_status', false)]);
  return { places, shop_ids: listShops(places), issues: [] };
}

async function selectByFilter(parts: Parts, filter: BatchFilter, scope: Scope): Promise<Selected> {
  const issues = checkFilter(filter);
  if (issues.length > 0) return refuse(issues);
  const { status, keywords, shop_id, shop_state } = filter;
  const places: BatchPlace[] = [];
  const only_here: BatchPlace[] = [];
  let matches = 0;
  for (let offset = 0; ; offset += PAGE) {
    const query = { status, keywords, shop_id, shop_state, limit: PAGE, offset };
    const { items, total } = await parts.store.listings.listListings(scope.account_id, query);
    for (const item of items) {
      const shop_ids = findMatching(item, filter, scope);
      if (shop_ids.length === 0) {
        if (isOnlyHere(item, filter, scope)) only_here.push({ listing_pk: item.listing_pk });
        continue;
      }
      matches += 1;
      if (places.length < MOST_LISTINGS) places.push({ listing_pk: item.listing_pk, shop_ids });
    }
    if (offset + PAGE >= total) break;
  }
  if (matches > MOST_LISTINGS) {
    const params = { count: matches, most: MOST_LISTINGS };
    throw new ServiceError('BATCH_TOO_LARGE', [{ code: 'batch_too_large', at: 'select.filter', params }]);
  }
  if (matches > 0) {
    const all = [...places, ...only_here].slice(0, MOST_LISTINGS);
    return { places: all, shop_ids: listShops(places), issues: [] };
  }
  return refuse([buildEmpty('select.filter', await hasUnmanaged(parts, filter, scope))]);
}

/** Whether a shop that the filter is about has more active listings now than are managed here. */
async function hasUnmanaged(
  { store, marketplace }: Parts,
  filter: BatchFilter,
  { account_id, shops, only }: Scope,
): Promise<boolean> {
  for (const { shop_id, details } of shops) {
    const isMeant = filter.shop_id === undefined || filter.shop_id === shop_id;
    if (!isMeant || !(only?.includes(shop_id) ?? true)) continue;
    const query = { shop_id, shop_state: 'active', limit: 1, offset: 0 } as const;
    const { total } = await store.listings.listListings(account_id, query);
    const now = await marketplace.getShop({ account_id, shop_id }).catch((cause: unknown) => {
      if (cause instanceof MarketplaceError) return details;
      throw cause;
    });
    if (now.listing_active_count > total) return true;
  }
  return false;
}

function checkFilter({ ends_before }: BatchFilter): Issue[] {
  if (ends_before === undefined || !Number.isNaN(Date.parse(ends_before))) return [];
  const params = { expected: 'a date, such as 2026-12-24' };
  return [{ code: 'select_value_wrong', at: 'select.filter.ends_before', params }];
}

/** The currencies of the shops that the selected listings are in; if there are none, of the shops in the request. */
export function listCurrencies(
  connected: readonly ConnectedShop[],
  shop_ids: readonly number[],
  asked: readonly number[] | undefined,
): string[] {
  const of = shop_ids.length > 0 ? shop_ids : asked;
  const shops = connected.filter(({ shop_id }) => of?.includes(shop_id) ?? true);
  return [...new Set(shops.map(({ details }) => details.currency_code))];
}

export function listUnconnected(shop_ids: readonly number[], connected: readonly ConnectedShop[]): Issue[] {
  return shop_ids.flatMap((shop_id, index): Issue[] =>
    connected.some((shop) => shop.shop_id === shop_id)
      ? []
      : [
          {
            code: 'shop_without_listings',
            at: `shops[${index}]`,
            params: { shop_id, connected: toShopChoices(connected) },
          },
        ],
  );
}

/** The shops in which a listing is on the marketplace and matches the filter. */
function findMatching(
  listing: ListingRecord & { places: SeenPlace[] },
  filter: BatchFilter,
  { shops, only }: Scope,
): number[] {
  return listing.places.flatMap((place) => {
    const shop = shops.find(({ shop_id }) => shop_id === place.shop_id);
    const isAsked = only?.includes(place.shop_id) ?? true;
    const isMeant = filter.shop_id === undefined || filter.shop_id === place.shop_id;
    if (place.listing_id === null || !isAsked || !isMeant) return [];
    return matches(listing, place, shop, filter) ? [place.shop_id] : [];
  });
}

/** Whether no shop has the listing yet: the plan skips it, and says why. */
function isOnlyHere(
  { places, status }: { places: readonly SeenPlace[]; status: ListingRecord['status'] },
  { status: _status, keywords: _keywords, ...of_shops }: BatchFilter,
  { only }: Scope,
): boolean {
  const isOfShops = only !== undefined || Object.values(of_shops).some((part) => part !== undefined);
  return !isOfShops && status === 'draft' && places.every(({ listing_id }) => listing_id === null);
}

function matches(
  listing: ListingRecord,
  { shop_id, state, ends_at, shown }: SeenPlace,
  shop: ConnectedShop | undefined,
  filter: BatchFilter,
): boolean {
  const request = toShopRequest(listing.request, [], shop_id);
  const target = request.shops.find((one) => one.shop_id === shop_id);
  const { tag, section, sku_prefix, price_min, price_max, currency, ends_before, shop_state } = filter;
  const price = shown?.price ?? target?.price ?? request.listing.price;
  const skus = [request.listing.sku, ...listAllOfferings(request).map(({ sku }) => sku)];
  const tags = shown?.tags ?? request.listing.tags ?? [];
  const checks = [
    shop_state === undefined || state === shop_state,
    tag === undefined || tags.some((one) => isSameText(one, tag)),
    section === undefined || isOfSection(target?.shop_section_id, section, shop),
    sku_prefix === undefined || skus.some((sku) => sku?.startsWith(sku_prefix)),
    price_min === undefined || (price !== undefined && price >= price_min),
    price_max === undefined || (price !== undefined && price <= price_max),
    currency === undefined || shop?.details.currency_code === currency,
    ends_before === undefined || (ends_at !== null && Date.parse(ends_at) < Date.parse(ends_before)),
  ];
  return checks.every(Boolean);
}

function isOfSection(
  id: number | null | undefined,
  section: string,
  shop: ConnectedShop | undefined,
): boolean {
  if (id === undefined || id === null) return false;
  if (String(id) === section.trim()) return true;
  const known = shop?.lists.shop_sections.find(({ shop_section_id }) => shop_section_id === id);
  return known !== undefined && isSameText(known.title, section);
}

function refuse(issues: Issue[]): Selected {
  return { places: [], shop_ids: [], issues };
}

function listShops(places: readonly BatchPlace[]): number[] {
  return [...new Set(places.flatMap(({ shop_ids = [] }) => shop_ids))];
}

function toPlace(listing_pk: number, only: readonly number[] | undefined): BatchPlace {
  return only ? { listing_pk, shop_ids: [...only] } : { listing_pk };
}

function buildEmpty(at: string, hasOthers: boolean): Issue {
  return { code: 'select_empty', at, params: { has_others: hasOthers } };
}
