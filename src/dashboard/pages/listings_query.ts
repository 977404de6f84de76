import { listingStatus, seenState, type ListingStatus, type ShopStanding } from '../../../schemas/listing.js';
import { PREFIX } from '../routes.js';

type SeenState = NonNullable<ShopStanding['state']>;

/** The filter of the list of listings, from its URL or a form. Invalid values are left out. */
export type ListingsQuery = {
  keywords: string | undefined;
  shop_id: number | undefined;
  status: ListingStatus | undefined;
  shop_state: SeenState | undefined;
  /** Active listings that end within ENDING_DAYS. */
  is_ending: boolean;
  sort: 'changed' | 'title' | undefined;
};

const MAX_KEYWORDS = 200;
/** A listing that ends within this time can still be renewed or left to end. */
export const ENDING_DAYS = 14;
/** The one choice among the states that is not a state of the marketplace. */
export const ENDING = 'ending';

export function toEndingMoment(now: Date): string {
  return new Date(now.getTime() + ENDING_DAYS * 24 * 60 * 60_000).toISOString();
}

/** `is`: a status, or a state in a shop after `shop-`, since a person chooses from both at once. */
export function readListingsQuery(query: URLSearchParams): ListingsQuery {
  const keywords = (query.get('q') ?? '').trim().slice(0, MAX_KEYWORDS);
  const shop = query.get('shop') ?? '';
  const is = query.get('is') ?? query.get('status') ?? '';
  const sort = query.get('sort');
  return {
    keywords: keywords === '' ? undefined : keywords,
    shop_id: /^[1-9]\d{0,14}$/.test(shop) ? Number(shop) : undefined,
    status: listingStatus.safeParse(is).data,
    shop_state:
      is === ENDING
        ? 'active'
        : is.startsWith('shop-')
          ? seenState.safeParse(is.slice('shop-'.length)).data
          : undefined,
    is_ending: is === ENDING,
    sort: sort === 'changed' || sort === 'title' ? sort : undefined,
  };
}

export function isFiltered({ keywords, shop_id, status, shop_state }: ListingsQuery): boolean {
  return [keywords, shop_id, status, shop_state].some((part) => part !== undefined);
}

/** The chosen state; empty for all. */
export function toChoice({
  status,
  shop_state,
  is_ending,
}: Partial<Pick<ListingsQuery, 'status' | 'shop_state' | 'is_ending'>>): string {
  if (is_ending) return ENDING;
  return status ?? (shop_state === undefined ? '' : `shop-${shop_state}`);
}

/** The fields of a form that repeats the query. */
export function toFields({
  keywords,
  shop_id,
  status,
  shop_state,
  is_ending,
  sort,
}: Partial<ListingsQuery>): [string, string][] {
  const is = toChoice({ status, shop_state, is_ending });
  return [
    ...(keywords === undefined ? [] : [['q', keywords] as [string, string]]),
    ...(shop_id === undefined ? [] : [['shop', `${shop_id}`] as [string, string]]),
    ...(is === '' ? [] : [['is', is] as [string, string]]),
    ...(sort === undefined ? [] : [['sort', sort] as [string, string]]),
  ];
}

export function buildListingsHref(query: Partial<ListingsQuery>, offset = 0): string {
  const text = new URLSearchParams([
    ...toFields(query),
    ...(offset > 0 ? [['offset', `${offset}`]] : []),
  ]).toString();
  return `${PREFIX}/listings${text && `?${text}`}`;
}
