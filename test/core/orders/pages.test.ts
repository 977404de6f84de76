import { expect, it } from 'vitest';
import { findDelivered } from '../../../src/core/orders/pages.js';
import type { Receipt, ReceiptPage } from '../../../src/core/ports/index.js';

it('reports each page of delivered orders as it is read, so that a claim can be renewed', async () => {
  const order: string[] = [];
  const pages = [1, 2, 3].map((receipt_id): ReceiptPage => ({
    receipts: [{ receipt_id } as Receipt],
    unreadable: 0,
    is_last: receipt_id === 3,
    last_at_s: receipt_id * 100,
  }));
  const listReceipts = () => {
    order.push('read');
    return Promise.resolve(pages.shift() ?? pages[0]!);
  };
  const shop = { account_id: 'a', shop_id: 1 };
  const renew = () => Promise.resolve(void order.push('renewed'));
  const found = await findDelivered({ listReceipts }, shop, { created_from_s: 0 }, {}, renew);
  expect([...found]).toEqual([1, 2, 3]);
  expect(order).toEqual(['read', 'renewed', 'read', 'renewed', 'read', 'renewed']);
});
