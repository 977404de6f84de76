import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, upload } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let visitor: Visitor;

beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const see = async (path = '/dashboard/orders') => toText((await visitor.get(path)).text);
const hear = () => dashboard.service.app.core.orders.polls.pollDue(new AbortController().signal);

it('known orders are shown by shop, with their items and status, and nothing about the buyer', async () => {
  const empty = await see();
  expect(empty).toContain('No orders yet');
  expect(empty).toContain('it checks each connected shop every few minutes');

  const targets = await listTargets(dashboard.service);
  const images = [{ url: await upload(dashboard.service, 'mug-front.jpg') }];
  const { listing_pk, results } = await dashboard.service.call<{
    listing_pk: number;
    results: { shop_id: string; listing_id: number }[];
  }>('listing_create', { ...buildMug(targets, { images }), state: 'active' });
  const own = results.find(({ shop_id }) => shop_id === String(CLAY.shop_id));
  const { receipt_id } = await dashboard.service.control<{ receipt_id: number }>('POST', '/receipts', {
    shop_id: CLAY.shop_id,
    items: [{ listing_id: own?.listing_id, quantity: 2 }],
    message_from_buyer: 'Please wrap it.',
  });
  const { core } = dashboard.service.app;
  const list = (shop_id?: number) =>
    core.orders.list(dashboard.account_id, { shop_id, limit: 99, offset: 0 });
  const isHeard = async () => {
    await hear();
    return (await list()).items.some((order) => order.receipt_id === receipt_id);
  };
  await expect.poll(isHeard, { timeout: 20_000 }).toBe(true);
  expect((await list()).items[0]).toMatchObject({
    receipt_id,
    state: 'paid',
    items: [{ listing_pk, quantity: 2 }],
  });
  const page = await visitor.get('/dashboard/orders');
  const words = toText(page.text);
  expect(words).toContain('2 × Stoneware mug');
  expect(words).toContain('ClayAndOak');
  expect(words).toContain('Paid, not shipped Ship by');
  expect(words).toContain(String(receipt_id));
  expect(words).toMatch(/\d+\.\d\d USD/);
  expect(page.text).toContain(`href="/dashboard/listings/${listing_pk}"`);
  for (const private_word of ['Robin', 'Example Street', 'Springfield', 'wrap it']) {
    expect(page.text).not.toContain(private_word);
  }
  expect(await see(`/dashboard/orders?shop=${LINEN.shop_id}`)).not.toContain(String(receipt_id));
  expect(await see(`/dashboard/orders?shop=${CLAY.shop_id}`)).toContain(String(receipt_id));

  const other = await dashboard.service.app.store.accounts.createAccount('other');
  expect(await core.orders.list(other.account_id, { limit: 9, offset: 0 })).toMatchObject({ total: 0 });
});
