import { STATUS_WORDS } from '../components/listing_status.js';
import { STATE_WORDS } from '../components/shop_state.js';
import type { Operations } from '../operations.js';
import { buildListingsHref, type ListingsQuery } from './listings_query.js';

/**
 * The tiles. Listings in shops are counted by their state when they were last seen there: the status is what
 * was requested, and a listing published as a draft, or imported, may have any state by now. A listing whose
 * state differs by shop counts once for each state.
 */
const TILES: readonly { word: string; query: Query; is_shown_empty?: boolean }[] = [
  { word: STATUS_WORDS.draft.word, query: { status: 'draft' }, is_shown_empty: true },
  { word: STATUS_WORDS.processing.word, query: { status: 'processing' }, is_shown_empty: true },
  { word: STATUS_WORDS.published.word, query: { shop_state: 'draft' }, is_shown_empty: true },
  { word: STATE_WORDS.active.word, query: { shop_state: 'active' }, is_shown_empty: true },
  { word: STATE_WORDS.inactive.word, query: { shop_state: 'inactive' } },
  { word: STATE_WORDS.sold_out.word, query: { shop_state: 'sold_out' } },
  { word: STATE_WORDS.expired.word, query: { shop_state: 'expired' } },
  { word: STATUS_WORDS.incomplete.word, query: { status: 'incomplete' }, is_shown_empty: true },
];

type Query = Pick<ListingsQuery, 'status'> | Pick<ListingsQuery, 'shop_state'>;
type Counted = { word: string; href: string; total: number };

/** Listings that were given up appear only in the list. */
export async function countListings(operations: Operations): Promise<Counted[]> {
  const counted = await Promise.all(
    TILES.map(async ({ word, query, is_shown_empty = false }) => {
      const { total } = await operations.call('listings_list', { ...query, limit: 1 });
      return { word, href: buildListingsHref(query), total, is_shown_empty };
    }),
  );
  return counted.filter(({ total, is_shown_empty }) => total > 0 || is_shown_empty);
}

/**
 * Listings that are active in a shop: the number on the tile "Live", for one shop, and the page that lists
 * them.
 */
export type LiveCount = { total: number; href: string };

export async function countLive(operations: Operations, shop_id: number): Promise<LiveCount> {
  const query = { shop_id, shop_state: 'active' } as const;
  const { total } = await operations.call('listings_list', { ...query, limit: 1 });
  return { total, href: buildListingsHref(query) };
}

export function Counts({ counts }: { counts: readonly Counted[] }) {
  if (counts.every(({ total }) => total === 0)) return null;
  return (
    <ul class="counts" aria-label="Listings">
      {counts.map(({ word, href, total }) => (
        <li key={href}>
          <strong>{total}</strong>
          <a class="cover" href={href}>
            {word}
          </a>
        </li>
      ))}
    </ul>
  );
}
