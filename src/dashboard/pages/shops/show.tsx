import type { Clock, ConnectedShop, Refused } from '../../../core/ports/index.js';
import { formatCount } from '../../../core/text/format_count.js';
import { Action } from '../../components/action.js';
import { Age } from '../../components/age.js';
import { ForeignLink } from '../../components/foreign_link.js';
import { PageHead } from '../../components/page_head.js';
import { Notice, Refusal } from '../../components/notice.js';
import { getShopId } from '../../ids.js';
import { Dashboard } from '../../layout.js';
import type { Framing, OwnVisit, Page } from '../../page.js';
import { PREFIX, toBringInPath, toShopPath } from '../../routes.js';
import { countLive, type LiveCount } from '../listing_counts.js';
import { ShopBadge } from './badge.js';
import { getKept } from './kept.js';
import { KeptLists } from './lists.js';

export function createShop(clock: Clock): Page {
  return {
    path: '/shops/{shop_id}',
    async get(visit) {
      const shop = await getCounted(visit, getShopId(visit));
      return <Shop visit={visit} {...shop} now={clock.now()} />;
    },
  };
}

type CountedShop = { shop: ConnectedShop; live: LiveCount };

/** Throws STORE_NOT_FOUND. */
export async function getCounted(visit: OwnVisit, shop_id: number): Promise<CountedShop> {
  const shop = await getKept(visit, shop_id);
  return { shop, live: await countLive(visit.operations, shop_id) };
}

type Props = CountedShop & {
  visit: Framing;
  now: Date;
  /** Why re-reading it failed. */
  refused?: Refused;
};

export function Shop({ visit, shop, live, now, refused }: Props) {
  const { details } = shop;
  return (
    <Dashboard visit={visit} title={details.shop_name} section="Shops">
      <PageHead
        up={{ href: `${PREFIX}/shops`, name: 'Shops' }}
        title={details.shop_name}
        badge={<ShopBadge shop={shop} />}
        note={
          <>
            Synced <Age at={shop.last_synced_at} now={now} />
          </>
        }
      />
      {refused && !shop.is_reconnect_required && <Refusal error={refused} />}
      {shop.is_reconnect_required && <ReconnectHint />}
      <div class="columns">
        <aside class="stack" aria-label="State and actions">
          <Actions visit={visit} shop={shop} />
          <Facts details={details} live={live} />
        </aside>
        <div class="stack roomy">
          <KeptLists lists={shop.lists} />
        </div>
      </div>
    </Dashboard>
  );
}

function ReconnectHint() {
  return (
    <Notice tone="bad">
      <p>
        <strong>Etsy no longer lets this service access this shop.</strong>
      </p>
      <p>
        It ends a grant when the owner’s password changes, when the owner takes it away, or after 90 days
        without use. Connect the shop again as its owner; what is saved here stays as it is.
      </p>
    </Notice>
  );
}

function Actions({ visit, shop }: Pick<Props, 'visit' | 'shop'>) {
  const { shop_id, is_reconnect_required } = shop;
  return (
    <div class="actions">
      {is_reconnect_required ? (
        <Action
          visit={visit}
          to={`${PREFIX}/shops/connect`}
          label="Connect again"
          fields={{ shop_id: `${shop_id}` }}
        />
      ) : (
        <div class="stack tight">
          <Action visit={visit} to={`${toShopPath(shop_id)}/sync`} label="Sync now" />
          <p class="note">
            Reads the shop from the marketplace again: profiles, sections and policies that you changed there.
          </p>
        </div>
      )}
      {!is_reconnect_required && (
        <p>
          <a class="button quiet" href={toBringInPath(shop_id)}>
            Bring in listings…
          </a>
        </p>
      )}
      <p class="note">
        <a href={`${PREFIX}/shops/connect?shop_id=${shop_id}`}>Connect it with another Etsy app…</a>
      </p>
      <p>
        <a class="button danger" href={`${toShopPath(shop_id)}/disconnect`}>
          Disconnect…
        </a>
      </p>
    </div>
  );
}

function Facts({ details, live }: { details: ConnectedShop['details']; live: LiveCount }) {
  const { review_average, review_count } = details;
  return (
    <section class="card">
      <h2>The shop</h2>
      <dl class="facts">
        <dt>Currency</dt>
        <dd>{details.currency_code}</dd>
        <dt>Active here</dt>
        <dd class="number">
          <a href={live.href}>{formatCount(live.total, 'listing')}</a>
        </dd>
        {details.shipping_from_country_iso !== null && (
          <>
            <dt>Ships from</dt>
            <dd>{details.shipping_from_country_iso}</dd>
          </>
        )}
        {review_average !== null && (
          <>
            <dt>Reviews</dt>
            <dd class="number">
              {review_average.toFixed(1)} of 5{review_count !== null && ` (${review_count})`}
            </dd>
          </>
        )}
      </dl>
      <p>
        <ForeignLink href={details.url}>Open it on the marketplace</ForeignLink>
      </p>
    </section>
  );
}
