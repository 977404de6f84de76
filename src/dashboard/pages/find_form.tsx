import { seenState, type ListingStatus } from '../../../schemas/listing.js';
import { cleanForeign } from '../../core/text/foreign.js';
import { STATUS_WORDS } from '../components/listing_status.js';
import { STATE_WORDS } from '../components/shop_state.js';
import { PREFIX } from '../routes.js';
import type { NamesById } from '../shop_names.js';
import { ENDING, ENDING_DAYS, toChoice, type ListingsQuery } from './listings_query.js';

/**
 * Statuses that describe the listing itself. Published listings are found by their state in the shops, which
 * may have changed since.
 */
const OWN_STATUSES = ['draft', 'processing', 'incomplete', 'given_up'] as const satisfies ListingStatus[];

/** Works without scripts: a button submits the choices. */
export function FindForm({ query, names }: { query: ListingsQuery; names: NamesById }) {
  const chosen = toChoice(query);
  return (
    <form class="find" method="get" action={`${PREFIX}/listings`} role="search" aria-label="Listings">
      <div class="field">
        <label for="q">Title or SKU</label>
        <input
          id="q"
          name="q"
          type="search"
          value={query.keywords ?? ''}
          maxLength={200}
          autocomplete="off"
        />
      </div>
      <div class="field">
        <label for="shop">Shop</label>
        <select id="shop" name="shop">
          <option value="">All shops</option>
          {[...names].map(([shop_id, { shop_name }]) => (
            <option value={shop_id} selected={shop_id === String(query.shop_id)} key={shop_id}>
              {cleanForeign(shop_name)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="is">Status</label>
        <select id="is" name="is">
          <option value="">All except abandoned</option>
          <optgroup label="Here">
            {OWN_STATUSES.map((status) => (
              <option value={status} selected={status === chosen} key={status}>
                {STATUS_WORDS[status].word}
              </option>
            ))}
          </optgroup>
          <optgroup label="In a shop, as last checked">
            {seenState.options.map((state) => (
              <option value={`shop-${state}`} selected={`shop-${state}` === chosen} key={state}>
                {STATE_WORDS[state].word}
              </option>
            ))}
            <option value={ENDING} selected={chosen === ENDING}>
              Expires within {ENDING_DAYS} days
            </option>
          </optgroup>
        </select>
      </div>
      <div class="field">
        <label for="sort">Sort by</label>
        <select id="sort" name="sort">
          <option value="">Newest first</option>
          <option value="changed" selected={query.sort === 'changed'}>
            Last changed first
          </option>
          <option value="title" selected={query.sort === 'title'}>
            Title
          </option>
        </select>
      </div>
      <button type="submit">Show</button>
    </form>
  );
}
