import type { Clock, ConnectedShop } from '../../core/ports/index.js';
import type { ListedOrder, OrdersPage } from '../../core/orders/list.js';
import { formatCount } from '../../core/text/format_count.js';
import { Foreign, Time } from '../../pages/index.js';
import { Badge } from '../components/badge.js';
import { Notice, type Tone } from '../components/notice.js';
import { Pager } from '../components/pager.js';
import { Table } from '../components/table.js';
import { getOffset } from '../ids.js';
import { Dashboard } from '../layout.js';
import type { OwnVisit, Page } from '../page.js';
import { PREFIX, toListingPath, toShopPath } from '../routes.js';
import { toNames, type NamesById } from '../shop_names.js';
import { buildOrdersHref, readOrdersFilter, type OrdersFilter } from './orders_query.js';
import { listKept } from './shops/kept.js';

const PAGE_SIZE = 25;
/** Orders to ship are sorted by date only within a page, so one page should hold all of them. */
const TO_SHIP_SIZE = 100;

const STATES: Record<NonNullable<ListedOrder['state']> | 'open', { tone: Tone; word: string }> = {
  open: { tone: 'idle', word: 'Not paid yet' },
  paid: { tone: 'wait', word: 'Paid, not shipped' },
  shipped: { tone: 'ok', word: 'Shipped' },
  delivered: { tone: 'ok', word: 'Delivered' },
  canceled: { tone: 'idle', word: 'Canceled' },
};

/** The recorded orders. No data of the buyer is stored for this page. */
export function createOrders(clock: Pick<Clock, 'now'>): Page {
  return { path: '/orders', get: (visit) => buildPage(visit, clock.now()) };
}

async function buildPage(visit: OwnVisit, now: Date) {
  const filter = readOrdersFilter(visit);
  const offset = getOffset(visit);
  const shops = await listKept(visit);
  const limit = filter.is_to_send ? TO_SHIP_SIZE : PAGE_SIZE;
  const page = await visit.core.orders.list(visit.account_id, { ...filter, limit, offset });
  const names = toNames(shops);
  return (
    <Dashboard visit={visit} title="Orders" section="Orders">
      <div class="stack tight">
        <h1>Orders</h1>
        <p class="note">
          Orders received since each shop was connected. Buyers’ names, addresses and messages are on Etsy;
          they are stored here only if you have a <a href={`${PREFIX}/webhooks`}>webhook destination</a>, so
          that a failed webhook can be retried. They are encrypted, and deleted after 30 days or with the
          destination.
        </p>
      </div>
      <Unreadable unreadable={page.unreadable} names={names} />
      {shops.length > 1 && <ShopFilter shops={shops} filter={filter} />}
      {filter.is_to_send && <ToSend total={page.total} filter={filter} />}
      {page.total === 0 && !filter.is_to_send && <NoOrders shops={shops} />}
      {page.items.length > 0 && <OrderTable orders={page.items} names={names} now={now} />}
      <Pager
        total={page.total}
        limit={limit}
        offset={offset}
        buildHref={(start) => buildOrdersHref(filter, start)}
      />
    </Dashboard>
  );
}

function ToSend({ total, filter }: { total: number; filter: OrdersFilter }) {
  return (
    <p class="row">
      <span role="status">
        {total === 0 ? 'No order is waiting to be shipped' : `${formatCount(total, 'order')} to ship`}
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

type TableProps = { orders: readonly ListedOrder[]; names: NamesById; now: Date };

function OrderTable({ orders: listed, names, now }: TableProps) {
  return (
    <Table
      label="Orders"
      columns={[
        { name: 'Items' },
        { name: 'Ordered' },
        { name: 'Shop' },
        { name: 'Status' },
        { name: 'Total', is_number: true },
        { name: 'Order number' },
      ]}
      rows={listed.map((order) => ({
        key: `${order.shop_id} ${order.receipt_id}`,
        cells: [
          <Items items={order.items} />,
          <Time at={order.created_at} />,
          <Foreign text={names.get(String(order.shop_id))?.shop_name ?? `shop ${order.shop_id}`} />,
          <Status order={order} now={now} />,
          order.total === null ? '' : `${order.total.decimal} ${order.total.currency_code}`,
          <span class="number">{order.receipt_id}</span>,
        ],
      }))}
    />
  );
}

function Status({ order, now }: { order: ListedOrder; now: Date }) {
  const { state, updated_at, ship_by } = order;
  const { tone, word } = STATES[state ?? 'open'];
  const isDue = state === 'paid' && ship_by !== null;
  return (
    <>
      <Badge tone={tone}>{word}</Badge> {isLate(order, now) && <Badge tone="bad">Late</Badge>}
      <br />
      <span class="note">
        {isDue ? 'Ship by' : 'Updated'} <Time at={isDue ? ship_by : updated_at} />
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
              SKU <Foreign text={sku} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Paid, and not shipped by the date that Etsy expects. */
export function isLate({ state, ship_by }: ListedOrder, now: Date): boolean {
  return state === 'paid' && ship_by !== null && Date.parse(ship_by) < now.getTime();
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
          While the service runs, it checks each connected shop every few minutes, and new orders appear here.
          To also send each new order to your own program, use <a href={`${PREFIX}/webhooks`}>webhooks</a>.
        </p>
      )}
    </div>
  );
}
