import type { ListingSummary } from '../../../schemas/listing.js';
import type { Clock } from '../../core/ports/index.js';
import { formatCount } from '../../core/text/format_count.js';
import { Foreign, Time } from '../../pages/index.js';
import { Badge } from '../components/badge.js';
import { Done, readDone } from '../components/done.js';
import { Pager } from '../components/pager.js';
import { Photo } from '../components/photo.js';
import { formatPrices } from '../components/price.js';
import { describeListing } from '../components/shop_state.js';
import { getOffset } from '../ids.js';
import { Dashboard } from '../layout.js';
import { KINDS } from './changes/edits/edits.js';
import type { OwnVisit, Page } from '../page.js';
import { redirect, show } from '../replies.js';
import { BRING_IN, PREFIX, toListingPath } from '../routes.js';
import { listShopNames, ShopNames, type NamesById } from '../shop_names.js';
import { findListings } from './find_listings.js';
import { FindForm } from './find_form.js';
import {
  buildListingsHref,
  isFiltered,
  readListingsQuery,
  toFields,
  type ListingsQuery,
} from './listings_query.js';
import { receiveFilter, SavedFilters, type RefusedFilter } from './saved_filters.js';

const PAGE_SIZE = 24;

export function createListings(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/listings',
    is_past_gate: true,
    get: (visit) => buildPage(visit, clock.now()),
    async post(visit) {
      const refused = await receiveFilter(visit);
      if (!refused) return redirect(buildListingsHref(readListingsQuery(visit.request.query)));
      return show(await buildPage(visit, clock.now(), refused), { status: refused.error.status });
    },
  };
}

async function buildPage(visit: OwnVisit, now: Date, refused?: RefusedFilter) {
  const query = readListingsQuery(visit.request.query);
  const offset = getOffset(visit);
  const [page, names, edited, saved] = await Promise.all([
    findListings(visit, query, { limit: PAGE_SIZE, offset }, now),
    listShopNames(visit.operations),
    visit.core.listings.listChangedElsewhere(visit.account_id),
    visit.core.saved_filters.list(visit.account_id),
  ]);
  const hasFilter = isFiltered(query);
  const given_up = hasFilter ? 0 : await countOnlyGivenUp(visit.operations, page);
  return (
    <Dashboard visit={visit} title="Listings" section="Listings" scripts={['selection']}>
      <div class="row between">
        <h1>Listings</h1>
        <p class="row">
          <a href={BRING_IN}>Bring in listings</a>
          <a href={`${PREFIX}/changes/sheet`}>Upload a spreadsheet</a>
          <a class="button" href={`${PREFIX}/listings/new`}>
            New listing
          </a>
        </p>
      </div>
      <Done deed={readDone(visit)} />
      {(hasFilter || page.total + given_up > 0) && <FindForm query={query} names={names} />}
      <SavedFilters visit={visit} query={query} saved={saved} refused={refused} />
      {hasFilter && page.total > 0 && <Found query={query} total={page.total} />}
      {page.total === 0 && (hasFilter ? <Nothing /> : <NoListings given_up={given_up} />)}
      {page.total > 0 && (
        <form method="get" action={`${PREFIX}/changes/new`}>
          <ListingList
            listings={page.listings}
            names={names}
            now={now}
            edited={new Set(edited.map(({ listing_pk }) => listing_pk))}
            is_ticked
          />
          <Selection query={query} total={page.total} />
        </form>
      )}
      <Pager {...page} buildHref={(start) => buildListingsHref(query, start)} />
    </Dashboard>
  );
}

function Found({ query, total }: { query: ListingsQuery; total: number }) {
  return (
    <p class="row">
      <span role="status">{total === 1 ? '1 listing' : `${total} listings`}</span>
      <a href={buildListingsHref({ sort: query.sort })}>Show all</a>
    </p>
  );
}

/**
 * Actions for the selected listings. They stay visible, and the style shows them once something is selected.
 */
function Selection({ query, total }: { query: ListingsQuery; total: number }) {
  return (
    <div class="card selection" role="group" aria-label="Selected listings">
      {toFields(query).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      {total > 1 && (
        <label class="choice">
          <input type="checkbox" name="all" value="1" />
          Select all {total} listings{isFiltered(query) && ' found'}
        </label>
      )}
      <p class="note">Select listings to change them.</p>
      <p role="status" data-selected-of={total} hidden />
      <div class="row">
        {Object.entries(KINDS).map(([kind, { button }]) => (
          <button type="submit" class="quiet" name="do" value={kind} key={kind}>
            {button}
          </button>
        ))}
        <button type="submit" class="quiet" name="do" value="sheet">
          Download spreadsheet
        </button>
      </div>
    </div>
  );
}

function Nothing() {
  return (
    <div class="empty">
      <h2>No listings found</h2>
      <p>
        No listings match this filter. <a href={buildListingsHref({})}>Show all</a>
      </p>
    </div>
  );
}

/** The number of given-up listings, which lists leave out, if there are no others. */
export async function countOnlyGivenUp(
  operations: OwnVisit['operations'],
  { total }: { total: number },
): Promise<number> {
  return total > 0 ? 0 : (await operations.call('listings_list', { status: 'given_up', limit: 1 })).total;
}

/** The page without listings: how to start. */
export function NoListings({
  given_up,
  heading: Heading = 'h2',
}: {
  given_up: number;
  heading?: ListHeading;
}) {
  return (
    <div class="empty">
      <Heading>{given_up > 0 ? 'No listings besides abandoned ones' : 'No listings yet'}</Heading>
      {given_up > 0 && (
        <p>
          <a href={buildListingsHref({ status: 'given_up' })}>
            Show {formatCount(given_up, 'abandoned listing')}
          </a>
        </p>
      )}
      <p>
        <a href={`${PREFIX}/listings/new`}>Make a new listing</a>, or{' '}
        <a href={BRING_IN}>bring in those of a shop</a>. Nothing is published before you say so.
      </p>
      <p>
        Or ask your assistant: “List this mug in my shops as a draft”, and give it photos, a price and a few
        words. What it makes appears here.
      </p>
    </div>
  );
}

/** One level below the heading above the list. */
type ListHeading = 'h2' | 'h3';

type ListProps = {
  listings: readonly ListingSummary[];
  names: NamesById;
  now: Date;
  heading?: ListHeading;
  /** Listings whose values in a shop differ from those saved here. */
  edited?: ReadonlySet<number>;
  /** Each has a checkbox, in the form around the list. */
  is_ticked?: boolean;
};

export function ListingList({ listings, names, now, heading: Heading = 'h2', edited, is_ticked }: ListProps) {
  if (listings.length === 0) return null;
  return (
    <ul class="listing-list">
      {listings.map((listing) => (
        <li class="listing-item" key={listing.listing_pk}>
          <Photo listing={listing} image="first" width={160} alt="" />
          {is_ticked === true && <Tick listing={listing} />}
          <div class="stack tight">
            <Heading>
              <a class="cover" href={toListingPath(listing.listing_pk)}>
                <Foreign text={listing.title} />
              </a>
            </Heading>
            <p class="row">
              <ListingBadge listing={listing} now={now} />
              {edited?.has(listing.listing_pk) && <Badge tone="wait">Edited on Etsy</Badge>}
              <span class="note">
                <ShopNames shop_ids={listing.shop_ids} names={names} />
              </span>
            </p>
            <Offer shops={listing.shops} />
            <p class="note">
              Changed <Time at={listing.updated_at} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Tick({ listing: { listing_pk, title } }: { listing: ListingSummary }) {
  return (
    <label class="tick">
      <input type="checkbox" name="listing" value={listing_pk} />
      <span class="visually-hidden">
        Select <Foreign text={title} />
      </span>
    </label>
  );
}

/** Price in each currency, and quantity; a shop's own values are on the listing's page. */
function Offer({ shops }: Pick<ListingSummary, 'shops'>) {
  const stocks = shops.flatMap(({ quantity }) => quantity ?? []);
  const stock = new Set(stocks).size === 1 ? `${stocks[0]} in stock` : `${stocks.join(' / ')} in stock`;
  const figures = [formatPrices(shops) ?? [], stocks.length > 0 ? stock : []].flat();
  return figures.length === 0 ? null : <p class="number">{figures.join(' · ')}</p>;
}

/** The status of a listing, with the time since it was last seen. */
function ListingBadge({ listing, now }: { listing: ListingSummary; now: Date }) {
  const { tone, word, checked } = describeListing(listing, now);
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {checked !== undefined && <span class="note">checked {checked}</span>}
    </>
  );
}
