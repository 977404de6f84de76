import type { ConnectedShop } from '../../core/ports/index.js';
import type { ListedOrder, OrdersPage } from '../../core/orders/list.js';
import { formatCount } from '../../core/text/format_count.js';
import { Foreign, Time } from '../../pages/index.js';
import { Badge } from '../components/badge.js';
import { Notice, type Tone } from '../components/notice.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { getOffset } from '../ids.js';
import { Dashboard } from '../layout.js';
import type { Page } from '../page.js';
import { PREFIX, toListingPath, toShopPath } from '../routes.js';
import { toNames, type NamesById } from '../shop_names.js';
import { buildOrdersHref, readOrdersFilter, type OrdersFilter } from './orders_query.js';
import { listKept } from './shops/kept.js';

const PAGE_SIZE = 25;

const STATES: Record<NonNullable<ListedOrder['state']> | 'open', { tone: Tone; word: string }> = {
  open: { tone: 'idle', word: 'Not paid yet' },
  paid: { tone: 'wait', word: 'Paid, to be sent' },
  shipped: { tone: 'ok', word: 'On its way' },
  delivered: { tone: 'ok', word: 'Delivered' },
  canceled: { tone: 'idle', word: 'Canceled' },
};

/** The recorded orders. No data of the buyer is stored for this page. */
export const orders: Page = {
  path: '/orders',
  async get(visit) {
    const filter = readOrdersFilter(visit);
    const offset = getOffset(visit);
    const shops = await listKept(visit);
    const page = await visit.core.orders.list(visit.account_id, { ...filter, limit: PAGE_SIZE, offset });
    const names = toNames(shops);
    return (
      <Dashboard visit={visit} title="Orders" section="Orders">
        <div class="stack tight">
          <h1>Orders</h1>
          <p class="note">
            Orders received since each shop was connected. Buyers’ names, addresses and messages are on the
            marketplace. They are stored here only with a{' '}
            <a href={`${PREFIX}/webhooks`}>webhook destination</a>: encrypted, for 30 days, to be sent again,
            and until the destination is deleted.
          </p>
        </div>
        <Unreadable unreadable={page.unreadable} names={names} />
        {shops.length > 1 && <ShopFilter shops={shops} filter={filter} />}
        {filter.is_to_send && <ToSend total={page.total} filter={filter} />}
        {page.total === 0 && !filter.is_to_send && <NoOrders shops={shops} />}
        {page.items.length > 0 && <OrderTable orders={page.items} names={names} />}
        <Pager
          total={page.total}
          limit={PAGE_SIZE}
          offset={offset}
          buildHref={(start) => buildOrdersHref(filter, start)}
        />
      </Dashboard>
    );
  },
};

function ToSend({ total, filter }: { total: number; filter: OrdersFilter }) {
  return (
    <p class="row">
      <span role="status">
        {total === 0 ? 'No order is waiting to be sent' : `${formatCount(total, 'order')} to send`}
      </span>
      <a href={buildOrdersHref({ ...filter, is_to_send: false })}>Show all</a>
    </p>
  );
}

function ShopFilter({ shops, filter }: { shops: readonly ConnectedShop[]; filter: OrdersFilter }) {
  const isChosen = (chosen: number | undefined) => (chosen === filter.shop_id ? 'true' : undefined);
  return (
    <nav aria-label="Which shop" class="filter">
      <a href={buildOrdersHref({ ...filter, shop_id: undefined })} aria-current={isChosen(undefined)}>
        All shops
      </a>
      {shops.map((shop) => (
        <a
          href={buildOrdersHref({ ...filter, shop_id: shop.shop_id })}
          aria-current={isChosen(shop.shop_id)}
          key={shop.shop_id}
        >
          <Foreign text={shop.details.shop_name} />
        </a>
      ))}
    </nav>
  );
}

/** Shops whose orders cannot be read, and how to fix that. */
function Unreadable({ unreadable, names }: { unreadable: OrdersPage['unreadable']; names: NamesById }) {
  if (unreadable.length === 0) return null;
  return (
    <Notice tone="bad">
      <ul>
        {unreadable.map(({ shop_id, reason }) => (
          <li key={shop_id}>
            Orders from <Foreign text={names.get(String(shop_id))?.shop_name ?? `shop ${shop_id}`} /> cannot
            be read right now:{' '}
            {reason === 'scope'
              ? 'its owner has not let this service read orders.'
              : 'Etsy no longer lets this service access it.'}{' '}
            <a href={toShopPath(shop_id)}>Connect it again</a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function OrderTable({ orders: listed, names }: { orders: readonly ListedOrder[]; names: NamesById }) {
  return (
    <Table
      label="Orders"
      columns={[
        { name: 'What' },
        { name: 'Ordered' },
        { name: 'Shop' },
        { name: 'State' },
        { name: 'Total', is_number: true },
        { name: 'Order' },
      ]}
      rows={listed.map((order) => ({
        key: `${order.shop_id} ${order.receipt_id}`,
        cells: [
          <Items items={order.items} />,
          <Time at={order.created_at} />,
          <Foreign text={names.get(String(order.shop_id))?.shop_name ?? `shop ${order.shop_id}`} />,
          <State order={order} />,
          order.total === null ? '' : `${order.total.decimal} ${order.total.currency_code}`,
          <span class="number">{order.receipt_id}</span>,
        ],
      }))}
    />
  );
}

function State({ order: { state, updated_at } }: { order: ListedOrder }) {
  const { tone, word } = STATES[state ?? 'open'];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      <br />
      <span class="note">
        <Time at={updated_at} />
      </span>
    </>
  );
}

function Items({ items }: Pick<ListedOrder, 'items'>) {
  return (
    <ul class="lines">
      {items.map(({ title, quantity, variations, sku, listing_pk }, place) => (
        <li key={place}>
          {quantity} ×{' '}
          {listing_pk === null ? (
            <Foreign text={title} />
          ) : (
            <a href={toListingPath(listing_pk)}>
              <Foreign text={title} />
            </a>
          )}
          {variations.length > 0 && (
            <span class="note">
              {' '}
              <Foreign text={variations.map(({ name, value }) => `${name}: ${value}`).join(', ')} />
            </span>
          )}
          {sku !== null && sku !== '' && (
            <span class="note">
              {' '}
              <Foreign text={sku} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function NoOrders({ shops }: { shops: readonly ConnectedShop[] }) {
  return (
    <div class="empty">
      <h2>No orders yet</h2>
      {shops.length === 0 ? (
        <p>
          Orders are read from connected shops. <a href={`${PREFIX}/shops`}>Connect a shop</a>
        </p>
      ) : (
        <p>
          While the service runs, it looks at each connected shop by itself every few minutes, and an order
          that comes in appears here. A program of yours can be told at once:{' '}
          <a href={`${PREFIX}/webhooks`}>Webhooks</a>
        </p>
      )}
    </div>
  );
}
