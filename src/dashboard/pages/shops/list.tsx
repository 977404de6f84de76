import type { Connecting } from '../../../core/shops/connecting.js';
import type { Clock, ConnectedShop } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Foreign } from '../../../pages/index.js';
import { Action } from '../../components/action.js';
import { Age } from '../../components/age.js';
import { Dashboard } from '../../layout.js';
import type { Framing, Page } from '../../page.js';
import { BRING_IN, PREFIX, toShopPath } from '../../routes.js';
import { countLive, type LiveCount } from '../listing_counts.js';
import { listKept } from './kept.js';
import { ShopBadge } from './badge.js';

export function createShops(connecting: Connecting, clock: Clock): Page {
  return {
    path: '/shops',
    async get(visit) {
      const hasChoice = !(await connecting.isApplicationNeeded(visit.account_id));
      const shops = await Promise.all(
        (await listKept(visit)).map(async (shop) => ({
          shop,
          live: await countLive(visit.operations, shop.shop_id),
        })),
      );
      return <Shops {...{ visit, hasChoice, shops }} now={clock.now()} />;
    },
  };
}

type CountedShop = { shop: ConnectedShop; live: LiveCount };

/** `hasChoice`: a shop can be connected without an application of its own, so the form for one needs a link. */
type Props = { visit: Framing; hasChoice: boolean; shops: readonly CountedShop[]; now: Date };

function Shops({ visit, hasChoice, shops, now }: Props) {
  return (
    <Dashboard visit={visit} title="Shops" section="Shops">
      <div class="row between">
        <h1>Shops</h1>
        {shops.length > 0 && (
          <div class="row">
            <a class="button" href={BRING_IN}>
              Bring in listings
            </a>
            <Action visit={visit} to={`${PREFIX}/shops/connect`} label="Connect a shop" variant="quiet" />
          </div>
        )}
      </div>
      {shops.length === 0 ? <NoShops visit={visit} /> : <ShopList shops={shops} now={now} />}
      {hasChoice && (
        <p class="note">
          <a href={`${PREFIX}/shops/connect`}>Connect a shop with its own Etsy app…</a>
        </p>
      )}
    </Dashboard>
  );
}

function ShopList({ shops, now }: Pick<Props, 'shops' | 'now'>) {
  return (
    <ul class="shop-list">
      {shops.map(({ shop, live }) => (
        <li class="card" key={shop.shop_id}>
          <div class="row between">
            <h2>
              <a class="cover" href={toShopPath(shop.shop_id)}>
                <Foreign text={shop.details.shop_name} />
              </a>
            </h2>
            <ShopBadge shop={shop} />
          </div>
          <p class="note">{describeShop(shop, live)}</p>
          <p class="note">
            Synced <Age at={shop.last_synced_at} now={now} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** One line about a shop: currency, the number of its active listings that are here, shipping profiles. */
function describeShop({ details, lists }: ConnectedShop, { total }: LiveCount): string {
  const profiles = formatCount(lists.shipping_profiles.length, 'shipping profile');
  return `${details.currency_code} · ${formatCount(total, 'active listing')} here · ${profiles}`;
}

export function NoShops({ visit }: Pick<Props, 'visit'>) {
  return (
    <div class="empty">
      <h2>No shop is connected</h2>
      <p>
        Connecting opens the marketplace, where you sign in as the shop’s owner and agree. You come back here
        when it is done; your password stays there.
      </p>
      <Action visit={visit} to={`${PREFIX}/shops/connect`} label="Connect a shop" />
    </div>
  );
}
