import { shopListingsQuery, type ShopListing } from '../../../../schemas/shop_listings.js';
import type { Refused } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Notice, Refusal } from '../../components/notice.js';
import { toRefusal } from '../../operations.js';
import type { OwnPost, OwnVisit } from '../../page.js';
import { PATH as CHANGES, toJobPath } from '../changes/read.js';

/** Listings per page; each job imports at most that many. */
export const PAGE_SIZE = 100;
/** Maximum for all listings with a state. */
export const MOST_LISTINGS = 1_000;
/** The states by which listings of a shop can be imported. */
export const STATES = shopListingsQuery.shape.state.removeDefault();
type State = (typeof STATES)['options'][number];

/** A few listings are imported while the browser waits. */
const WAIT_MS = 1_500;

export function readState(fields: URLSearchParams): State {
  return STATES.safeParse(fields.get('state')).data ?? 'active';
}

/** The listings with a state that are not here yet. Throws RefusedError. */
export async function listNotHere(visit: OwnVisit, shop_id: number, state: State): Promise<number[]> {
  const found: ShopListing[] = [];
  for (let offset = 0; found.length < MOST_LISTINGS; offset += PAGE_SIZE) {
    const query = { shop_id, state, limit: PAGE_SIZE, offset };
    const { listings, total } = await visit.operations.call('store_listings', query);
    found.push(...listings.filter(({ listing_pk }) => listing_pk === null));
    if (offset + PAGE_SIZE >= total) break;
  }
  return found.slice(0, MOST_LISTINGS).map(({ listing_id }) => listing_id);
}

type Chosen = { shop_id: number; listing_ids: readonly number[] };

/** `href`: the page that shows the progress. `refused`: why no more jobs were started after the first `started`. */
type Imported = { href: string; refused?: undefined } | { href: string; refused: Refused; started: number };

/** Starts the jobs, up to the first that is refused. */
export async function importListings({ operations }: OwnPost, chosen: readonly Chosen[]): Promise<Imported> {
  const parts = chosen.flatMap(({ shop_id, listing_ids }) =>
    Array.from({ length: Math.ceil(listing_ids.length / PAGE_SIZE) }, (_, page) => ({
      shop_id,
      listing_ids: listing_ids.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    })),
  );
  const wait_ms = parts.length > 1 ? 0 : WAIT_MS;
  const job_ids: string[] = [];
  for (const part of parts) {
    try {
      const { job_id } = await operations.call('listing_import', part, { wait_ms });
      if (job_id !== undefined) job_ids.push(job_id);
    } catch (cause) {
      return { href: CHANGES, started: job_ids.length, refused: toRefusal(cause).error };
    }
  }
  const [only, ...others] = job_ids;
  return { href: only !== undefined && others.length === 0 ? toJobPath(only) : CHANGES };
}

export function ImportRefused({ href, refused, started }: Extract<Imported, { started: number }>) {
  return (
    <>
      <Refusal error={refused} />
      {started > 0 && (
        <Notice tone="wait">
          <p>
            {formatCount(started, 'import')} started before that. <a href={href}>See the changes</a>.
          </p>
        </Notice>
      )}
    </>
  );
}
