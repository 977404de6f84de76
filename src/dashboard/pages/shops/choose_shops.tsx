import type { VNode } from 'preact';
import type { ConnectedShop } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { FormToken } from '../../components/form_token.js';
import { Notice, Refusal } from '../../components/notice.js';
import { STATE_WORDS } from '../../components/shop_state.js';
import { Dashboard } from '../../layout.js';
import { toRefusal } from '../../operations.js';
import type { OwnPost, OwnVisit, Page } from '../../page.js';
import { redirect, show } from '../../replies.js';
import { BRING_IN, PREFIX, toBringInPath, toShopPath } from '../../routes.js';
import { ShopBadge } from './badge.js';
import {
  importListings,
  ImportRefused,
  listNotHere,
  MOST_LISTINGS,
  readState,
  STATES,
} from './import_listings.js';
import { listKept } from './kept.js';
import { NoShops } from './list.js';

/** Imports all listings with a state from one or several shops, or leads to a shop's own list. */
export const chooseShops: Page = {
  path: '/bring-in',
  is_outward: true,
  get: (visit) => showShops(visit, visit.request.query),
  async post(visit) {
    try {
      return await bringAll(visit);
    } catch (cause) {
      const { error } = toRefusal(cause);
      const page = await showShops(visit, visit.form.fields, <Refusal error={error} />);
      return show(page, { status: error.status });
    }
  },
};

async function bringAll(visit: OwnPost) {
  const { fields } = visit.form;
  const kept = await listKept(visit);
  const ticked = kept.filter(({ shop_id }) => fields.getAll('shop').includes(`${shop_id}`));
  if (ticked.length === 0) {
    const hint = <Hint tone="bad" text="Select at least one shop." />;
    return show(await showShops(visit, fields, hint), { status: 400 });
  }
  const state = readState(fields);
  const chosen = [];
  for (const { shop_id } of ticked)
    chosen.push({ shop_id, listing_ids: await listNotHere(visit, shop_id, state) });
  if (chosen.every(({ listing_ids }) => listing_ids.length === 0)) {
    const text = `There is nothing to bring in: no listing in the state “${STATE_WORDS[state].word}” is missing here.`;
    return showShops(visit, fields, <Hint tone="wait" text={text} />);
  }
  const imported = await importListings(visit, chosen);
  if (!imported.refused) return redirect(imported.href);
  return show(await showShops(visit, fields, <ImportRefused {...imported} />), {
    status: imported.refused.status,
  });
}

function Hint({ tone, text }: { tone: 'bad' | 'wait'; text: string }) {
  return (
    <Notice tone={tone}>
      <p>{text}</p>
    </Notice>
  );
}

/** @param fields the choices */
async function showShops(visit: OwnVisit, fields: URLSearchParams, problem?: VNode) {
  const shops = await listKept(visit);
  return (
    <Dashboard visit={visit} title="Bring in listings" section="Shops">
      <div class="stack tight">
        <p class="crumbs">
          <a href={`${PREFIX}/shops`}>Shops</a>
        </p>
        <h1>Bring in listings</h1>
        <p class="note">
          Copies listings and their photos to this service, so that you can change them here. Nothing changes
          on Etsy.
        </p>
      </div>
      {problem}
      {shops.length === 0 ? (
        <NoShops visit={visit} />
      ) : (
        <Choice visit={visit} shops={shops} fields={fields} />
      )}
    </Dashboard>
  );
}

type ChoiceProps = { visit: OwnVisit; shops: readonly ConnectedShop[]; fields: URLSearchParams };

/** If there is only one shop, it is selected. */
function Choice({ visit, shops, fields }: ChoiceProps) {
  const state = readState(fields);
  const usable = shops.filter(({ is_reconnect_required }) => !is_reconnect_required);
  return (
    <form class="stack" method="post" action={BRING_IN}>
      <FormToken visit={visit} />
      <ul class="lines">
        {shops.map((shop) => (
          <li class="row between" key={shop.shop_id}>
            {usable.includes(shop) ? (
              <>
                <label class="choice">
                  <input
                    type="checkbox"
                    name="shop"
                    value={shop.shop_id}
                    checked={usable.length === 1 || fields.getAll('shop').includes(`${shop.shop_id}`)}
                  />
                  <Foreign text={shop.details.shop_name} />
                </label>
                <a href={toBringInPath(shop.shop_id)}>
                  Choose individual listings
                  <span class="visually-hidden">
                    {' of '}
                    <Foreign text={shop.details.shop_name} />
                  </span>
                </a>
              </>
            ) : (
              <>
                <a href={toShopPath(shop.shop_id)}>
                  <Foreign text={shop.details.shop_name} />
                </a>
                <ShopBadge shop={shop} />
              </>
            )}
          </li>
        ))}
      </ul>
      <div class="card">
        <div class="field">
          <label for="state">Listings in the state</label>
          <select id="state" name="state">
            {STATES.options.map((option) => (
              <option value={option} selected={option === state} key={option}>
                {STATE_WORDS[option].word}
              </option>
            ))}
          </select>
          <p class="note">
            All that are not here yet, {formatCount(MOST_LISTINGS, 'listing')} of a shop at most.
          </p>
        </div>
        <div>
          <button type="submit">Bring in</button>
        </div>
      </div>
    </form>
  );
}
