import type { Visit } from '../page.js';
import { PREFIX } from '../routes.js';

/** The filter of the list of orders, from its URL. Invalid values are left out. */
export type OrdersFilter = { shop_id?: number | undefined; is_to_send?: boolean };

export function readOrdersFilter({ request: { query } }: Pick<Visit, 'request'>): OrdersFilter {
  const shop = query.get('shop') ?? '';
  return {
    shop_id: /^[1-9]\d{0,14}$/.test(shop) ? Number(shop) : undefined,
    is_to_send: query.get('is') === 'to_send',
  };
}

export function buildOrdersHref({ shop_id, is_to_send = false }: OrdersFilter, offset = 0): string {
  const text = new URLSearchParams({
    ...(shop_id !== undefined && { shop: `${shop_id}` }),
    ...(is_to_send && { is: 'to_send' }),
    ...(offset > 0 && { offset: `${offset}` }),
  }).toString();
  return `${PREFIX}/orders${text && `?${text}`}`;
}
