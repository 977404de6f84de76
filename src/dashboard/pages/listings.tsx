import { listingStatus, type ListingStatus, type ListingSummary } from '../../../schemas/listing.js';
import type { Clock } from '../../core/ports/index.js';
import { Foreign } from '../../pages/index.js';
import { Badge } from '../components/badge.js';
import { STATUS_WORDS } from '../components/listing_status.js';
import { Pager } from '../components/pager.js';
import { Photo } from '../components/photo.js';
import { describeListing } from '../components/shop_state.js';
import { Time } from '../components/time.js';
import { getOffset } from '../ids.js';
import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';
import { PREFIX, toListingPath } from '../routes.js';
import { listShopNames, ShopNames, type NamesById } from '../shop_names.js';

const PAGE_SIZE = 24;

export function createListings(clock: Pick<Clock, 'now'>): Page {
  return {
    path: '/listings',
    async get(visit) {
      const status = listingStatus.safeParse(visit.request.query.get('status')).data;
      const offset = getOffset(visit);
      const [page, names] = await Promise.all([
        visit.desk.call('listings_list', { limit: PAGE_SIZE, offset, ...(status && { status }) }),
        listShopNames(visit.desk),
      ]);
      return (
        <Dashboard visit={visit} title="Listings" section="Listings">
          <h1>Listings</h1>
          <Filter status={status} />
          {page.listings.length === 0 ? <Nothing status={status} /> : null}
          <ListingList listings={page.listings} names={names} now={clock.now()} />
          <Pager {...page} buildHref={(start) => buildHref(status, start)} />
        </Dashboard>
      );
    },
  };
}

function buildHref(status: ListingStatus | undefined, offset = 0): string {
  const query = new URLSearchParams({
    ...(status && { status }),
    ...(offset > 0 && { offset: `${offset}` }),
  });
  const text = query.toString();
  return `${PREFIX}/listings${text && `?${text}`}`;
}

function Filter({ status }: { status: ListingStatus | undefined }) {
  const choices = [undefined, ...listingStatus.options];
  return (
    <nav aria-label="Which listings" class="filter">
      {choices.map((choice) => (
        <a href={buildHref(choice)} aria-current={choice === status ? 'true' : undefined} key={choice}>
          {choice === undefined ? 'All' : STATUS_WORDS[choice].word}
        </a>
      ))}
    </nav>
  );
}

function Nothing({ status }: { status: ListingStatus | undefined }) {
  return status === undefined ? (
    <NoListings />
  ) : (
    <div class="empty">
      <h2>None of these</h2>
      <p>
        No listing stands as “{STATUS_WORDS[status].word}” now. <a href={buildHref(undefined)}>Show all</a>
      </p>
    </div>
  );
}

/** What to do when there is nothing yet. */
export function NoListings() {
  return (
    <div class="empty">
      <h2>No listings yet</h2>
      <p>
        Ask your assistant: “List this mug in my shops as a draft”, and give it photos, a price and a few
        words. What it makes appears here, and nothing is published before you say so.
      </p>
      <p>
        Programs use <a href="/docs#listing_create">listing_create</a>.
      </p>
    </div>
  );
}

export function ListingList({
  listings,
  names,
  now,
}: {
  listings: readonly ListingSummary[];
  names: NamesById;
  now: Date;
}) {
  if (listings.length === 0) return null;
  return (
    <ul class="listing-list">
      {listings.map((listing) => (
        <li class="listing-item" key={listing.listing_pk}>
          <Photo listing={listing} image="first" width={160} alt="" />
          <div class="stack tight">
            <h2>
              <a class="cover" href={toListingPath(listing.listing_pk)}>
                <Foreign text={listing.title} />
              </a>
            </h2>
            <p class="row">
              <ListingBadge listing={listing} now={now} />
              <span class="note">
                <ShopNames shop_ids={listing.shop_ids} names={names} />
              </span>
            </p>
            <p class="note">
              Changed <Time at={listing.updated_at} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** With the age of what it says. */
function ListingBadge({ listing, now }: { listing: ListingSummary; now: Date }) {
  const { tone, word, seen } = describeListing(listing, now);
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {seen !== undefined && <span class="note">seen {seen}</span>}
    </>
  );
}
