import type { VNode } from 'preact';
import type { ShopListing } from '../../../../schemas/shop_listings.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { Badge } from '../../components/badge.js';
import { FormToken } from '../../components/form_token.js';
import { Notice, Refusal } from '../../components/notice.js';
import { Pager } from '../../components/pager.js';
import { formatPrice } from '../../components/price.js';
import { STATE_WORDS } from '../../components/shop_state.js';
import { getOffset, getShopId } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import { RefusedError, toRefusal } from '../../operations.js';
import type { OwnPost, OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { toBringInPath, toListingPath, toShopPath } from '../../routes.js';
import {
  importListings,
  ImportRefused,
  listNotHere,
  MOST_LISTINGS,
  PAGE_SIZE,
  readState,
  STATES,
} from './import_listings.js';
import { getKept } from './kept.js';

/** Imports listings of a shop: the ticked ones, or all with a state. Nothing changes in the shop. */
export const bringIn: Page = {
  path: '/shops/{shop_id}/bring-in',
  is_outward: true,
  get: (visit) => showListings(visit),
  async post(visit) {
    const shop_id = getShopId(visit);
    try {
      const listing_ids = await listChosen(visit, shop_id);
      if (listing_ids.length === 0) return show(await showListings(visit, <NoneTicked />), { status: 400 });
      const imported = await importListings(visit, [{ shop_id, listing_ids }]);
      if (!imported.refused) return redirect(imported.href);
      return show(await showListings(visit, <ImportRefused {...imported} />), {
        status: imported.refused.status,
      });
    } catch (cause) {
      const { error } = toRefusal(cause);
      return show(await showListings(visit, <Refusal error={error} />), { status: error.status });
    }
  },
};

async function listChosen(visit: OwnPost, shop_id: number): Promise<number[]> {
  const { fields } = visit.form;
  if (fields.get('all') !== null) return listNotHere(visit, shop_id, readState(fields));
  const ids = fields.getAll('listing').map(Number);
  return ids.filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, PAGE_SIZE);
}

async function showListings(visit: OwnVisit, problem?: VNode) {
  const shop_id = getShopId(visit);
  const shop = await getKept(visit, shop_id);
  const state = readState(visit.request.query);
  const offset = getOffset(visit);
  const page = await visit.operations
    .call('store_listings', { shop_id, state, limit: PAGE_SIZE, offset })
    .catch(toRefusal);
  const href = toBringInPath(shop_id);
  const { shop_name } = shop.details;
  return (
    <Dashboard visit={visit} title={`Bring in listings from ${shop_name}`} section="Shops">
      <div class="stack tight">
        <p class="crumbs">
          <a href={toShopPath(shop_id)}>
            <Foreign text={shop_name} />
          </a>
        </p>
        <h1>
          Bring in listings from <Foreign text={shop_name} />
        </h1>
        <p class="note">
          Copies listings and their photos to this service, so that you can change them here. Nothing changes
          on Etsy.
        </p>
      </div>
      {problem}
      <nav aria-label="State" class="filter">
        {STATES.options.map((option) => (
          <a
            href={`${href}?state=${option}`}
            aria-current={option === state ? 'true' : undefined}
            key={option}
          >
            {STATE_WORDS[option].word}
          </a>
        ))}
      </nav>
      {page instanceof RefusedError ? (
        <Refusal error={page.error} />
      ) : (
        <>
          {page.total === 0 && <p>The shop has no listings in this state.</p>}
          {page.total > 0 && (
            <form class="stack" method="post" action={href}>
              <FormToken visit={visit} />
              <input type="hidden" name="state" value={state} />
              <ul class="lines">
                {page.listings.map((listing) => (
                  <Listing listing={listing} key={listing.listing_id} />
                ))}
              </ul>
              <Choice total={page.total} listings={page.listings} />
            </form>
          )}
          <Pager {...page} buildHref={(start) => `${href}?state=${state}&offset=${start}`} />
        </>
      )}
    </Dashboard>
  );
}

function Listing({ listing }: { listing: ShopListing }) {
  const { listing_id, listing_pk, title, price, currency_code, quantity } = listing;
  return (
    <li>
      {listing_pk === null ? (
        <label class="choice">
          <input type="checkbox" name="listing" value={listing_id} />
          <Foreign text={title} />
        </label>
      ) : (
        <p class="row">
          <a href={toListingPath(listing_pk)}>
            <Foreign text={title} />
          </a>
          <Badge tone="ok">Here</Badge>
        </p>
      )}
      <p class="note number">
        {formatPrice(price, currency_code)} · {quantity} in stock
      </p>
    </li>
  );
}

function Choice({ total, listings }: { total: number; listings: readonly ShopListing[] }) {
  const isAllHere = total <= listings.length && listings.every(({ listing_pk }) => listing_pk !== null);
  if (isAllHere) return <p>All of these listings are here.</p>;
  return (
    <div class="card">
      <label class="choice">
        <input type="checkbox" name="all" value="1" />
        Select all that are not here yet, of {formatCount(Math.min(total, MOST_LISTINGS), 'listing')}
      </label>
      <div>
        <button type="submit">Bring in</button>
      </div>
    </div>
  );
}

function NoneTicked() {
  return (
    <Notice tone="bad">
      <p>Select at least one listing.</p>
    </Notice>
  );
}
