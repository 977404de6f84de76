import type { Ports } from '../ports/index.js';
import type { KeptOrder, OrderQuery, OrderSummary, Receipt } from '../ports/index.js';
import type { OrderChange } from '../ports/receipt.js';

/** A recorded order, for its seller. `state`: its last change; null if it is not paid yet. */
export type ListedOrder = {
  shop_id: number;
  receipt_id: number;
  state: OrderChange | null;
  created_at: string;
  updated_at: string;
  /** Null if the marketplace does not say. */
  ship_by: string | null;
  total: OrderSummary['total'];
  /** `listing_pk`: our listing, if it was created or imported here. */
  items: (OrderSummary['items'][number] & { listing_pk: number | null })[];
};

export type OrdersPage = {
  total: number;
  items: ListedOrder[];
  /** Shops whose orders cannot be read, and why. */
  unreadable: { shop_id: number; reason: 'reconnect' | 'scope' }[];
};

export type ListOrders = (account_id: string, query: OrderQuery) => Promise<OrdersPage>;

export function createListOrders({ store }: Pick<Ports, 'store'>): ListOrders {
  return async (account_id, query) => {
    const { total, items } = await store.orders.listOrders(account_id, query);
    const listing_pks = await findListingPks(account_id, items);
    const unwatchable = await store.orders.listUnwatchable(account_id);
    const listed = items.map((order) => toListed(order, listing_pks));
    return {
      total,
      items: query.is_to_send ? listed.toSorted(byShipDate) : listed,
      unreadable: unwatchable.map(({ shop_id, reason }) => ({ shop_id, reason })),
    };
  };

  async function findListingPks(account_id: string, orders: readonly KeptOrder[]) {
    const found = new Map<number, number>();
    for (const shop_id of new Set(orders.map((order) => order.shop_id))) {
      const ids = orders
        .filter((order) => order.shop_id === shop_id)
        .flatMap(({ summary }) => summary.items.flatMap(({ listing_id }) => listing_id ?? []));
      const own = await store.orders.listListingPks({ account_id, shop_id }, [...new Set(ids)]);
      for (const [listing_id, listing_pk] of own) found.set(listing_id, listing_pk);
    }
    return found;
  }
}

/** The earliest first; orders without a date last. */
function byShipDate(one: ListedOrder, other: ListedOrder): number {
  const toMs = ({ ship_by }: ListedOrder) => (ship_by === null ? Number.MAX_VALUE : Date.parse(ship_by));
  return toMs(one) - toMs(other);
}

/** The summary that is stored for an order. */
export function toOrderSummary({ updated_at_s, totals, transactions }: Receipt): OrderSummary {
  const ship_by = transactions.flatMap(({ expected_ship_at_s }) => expected_ship_at_s ?? []);
  return {
    updated_at_s,
    total: totals.grand_total,
    ship_by_s: ship_by.length > 0 ? Math.min(...ship_by) : null,
    items: transactions.map(({ listing_id, title, quantity, sku, variations }) => ({
      listing_id,
      title,
      quantity,
      sku,
      variations: variations.map(({ name, value }) => ({ name, value })),
    })),
  };
}

function toListed(
  { shop_id, receipt_id, created_at_s, changes, summary }: KeptOrder,
  listing_pks: ReadonlyMap<number, number>,
): ListedOrder {
  return {
    shop_id,
    receipt_id,
    state: changes.at(-1) ?? null,
    created_at: toIso(created_at_s),
    updated_at: toIso(summary.updated_at_s),
    ship_by: summary.ship_by_s ? toIso(summary.ship_by_s) : null,
    total: summary.total,
    items: summary.items.map((item) => ({
      ...item,
      listing_pk: (item.listing_id === null ? undefined : listing_pks.get(item.listing_id)) ?? null,
    })),
  };
}

function toIso(epoch_s: number): string {
  return new Date(epoch_s * 1000).toISOString();
}
