import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, upload } from '../service.js';
import { CLAY as CLAY_OWNER } from '../sandbox/harness.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let visitor: Visitor;

beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const see = async (path = '/dashboard') => toText((await visitor.get(path)).text);
const call = <Output>(id: string, input: object) => dashboard.service.call<Output>(id, input);

type Made = { listing_pk: number; results: { shop_id: string; listing_id: number }[] };

const find = ({ results }: Made, shop_id: number) =>
  results.find((result) => result.shop_id === String(shop_id))?.listing_id;

it("Today starts with the seller's open tasks, each with a link to the page that handles it", async () => {
  expect(await see()).toMatch(
    /^ Sandbox: .* Today New listing Get started Bring in .* Done: 1 of 4 Connect a shop /,
  );
  const targets = await listTargets(dashboard.service);
  const images = [{ url: await upload(dashboard.service, 'mug-front.jpg') }];
  const make = (title: string) => {
    const mug = buildMug(targets, { images });
    return call<Made>('listing_create', { ...mug, listing: { ...mug.listing, title }, state: 'active' });
  };
  const [sold, changed] = [await make('Sold mug'), await make('Changed mug')];
  const cards = toText((await visitor.get('/dashboard/listings')).text);
  expect(cards).toMatch(
    /Changed mug Active checked just now NordLinen|Changed mug Active checked just now ClayAndOak/,
  );
  expect(cards).toContain('24.50 USD · 24.50 EUR · 4 in stock');

  await dashboard.service.control('POST', `/listings/${find(sold, CLAY.shop_id)}/sell`, { quantity: 4 });
  await dashboard.service.control('POST', `/listings/${find(changed, LINEN.shop_id)}/edit`, {
    title: 'A title of other hands',
  });
  // Both are read again, and nothing is done.
  for (const { listing_pk } of [sold, changed])
    await call('listing_publish', { listing_pk, state: 'active' });
  await visitor.post('/dashboard/changes/new', {
    listing: `${changed.listing_pk}`,
    do: 'tags',
    op: 'add',
    value: 'gift',
  });
  const needed = await visitor.get('/dashboard');
  const words = toText(needed.text);
  expect(words).toMatch(/Needs your attention .* Get started .* Done: 2 of 4 Connect a shop Bring in the/);
  // Publishing is not a change of an existing listing, and a plan that was not started changes nothing.
  expect(words).toContain('Get started Change one thing You review');
  expect(needed.text).toMatch(/<a class="button" href="\/dashboard\/listings\/\d+\/edit">Edit a listing/);
  expect(words).toContain('Continue with your own shop');
  expect(needed.text).toContain('href="/dashboard/listings/new"');
  expect(words).toContain(
    'Sold mug: sold out Renew with new stock, or leave as is. The next page shows the fee. Renew',
  );
  expect(words).toContain(
    'Changed mug: changed in NordLinen outside this service Different from what is saved here: title.',
  );
  expect(needed.text).toContain(`href="/dashboard/listings/${changed.listing_pk}"`);
  // Listings have a separate heading there.
  expect(needed.text).toContain('<h3><a class="cover" href="/dashboard/listings/');
  expect(await see('/dashboard/listings?is=shop-sold_out')).toContain('1 listing Show all Select Sold mug');
  expect(await see(`/dashboard/listings?is=shop-sold_out&shop=${LINEN.shop_id}`)).toContain(
    'No listings found',
  );

  await dashboard.service.control('POST', '/tokens/revoke', { user_id: CLAY_OWNER.user_id });
  await visitor.post(`/dashboard/shops/${CLAY.shop_id}/sync`);
  const again = await visitor.get('/dashboard');
  expect(toText(again.text)).toContain('ClayAndOak has to be connected again');
  expect(again.text).toContain(`href="/dashboard/shops/${CLAY.shop_id}"`);
});

it('Today counts listings by their state in shops, using the same states as the list', async () => {
  const own = await startDashboard();
  const someone = await own.signIn();
  const { listing_ids } = await own.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
  });
  await own.service.control('POST', `/listings/${listing_ids[0]}/edit`, { state: 'inactive' });
  await own.service.call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  const page = await someone.get('/dashboard');
  expect(toText(page.text)).toContain(
    '0 Saved here 0 In progress 0 Draft on Etsy 0 Active 1 Inactive 0 Unfinished',
  );
  const [, href = ''] = /href="([^"]+)">Inactive</.exec(page.text) ?? [];
  expect(toText((await someone.get(href)).text)).toMatch(/1 listing Show all .* Inactive checked just now/);
  await own.close();
});

it('Today lists active listings that expire within 14 days', async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const { listing_ids } = await own.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    count: 3,
  });
  for (const [index, days] of [13, 15, 13].entries())
    await own.service.control('POST', `/listings/${listing_ids[index]}/edit`, {
      ends_at_epoch_s: Math.floor(Date.now() / 1_000) + days * 24 * 60 * 60,
    });
  await own.service.control('POST', `/listings/${listing_ids[2]}/edit`, { state: 'inactive' });
  await own.service.call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  const page = await seller.get('/dashboard');
  expect(toText(page.text)).toMatch(/: expiring within 14 days Turn auto-renew on or off/);
  const list = toText((await seller.get('/dashboard/listings?is=ending')).text);
  expect(list).toContain('1 listing Show all');
  const plan = await seller.post('/dashboard/changes/new', {
    all: '1',
    is: 'ending',
    do: 'tags',
    op: 'add',
    value: 'last chance',
  });
  expect(toText((await seller.get(plan.location)).text)).toContain('1 change to 1 listing');
  await own.close();
});

it('Today says if no shop is connected, and where to connect one', async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const { core } = own.service.app;
  for (const { shop_id } of await core.shops.listConnected(own.account_id)) {
    await core.connecting.disconnect({ account_id: own.account_id, shop_id });
  }
  const page = await seller.get('/dashboard');
  expect(toText(page.text)).toContain('Get started Connect a shop You sign in');
  expect(page.text).toContain('<a class="button" href="/dashboard/shops">Connect a shop');
  await own.close();
});

const toOrder = (
  receipt_id: number,
  changes: ('paid' | 'shipped' | 'delivered' | 'canceled')[],
  ship_by_s?: number,
) => ({
  receipt_id,
  created_at_s: receipt_id,
  changes,
  summary: { updated_at_s: receipt_id, total: null, ...(ship_by_s && { ship_by_s }), items: [] },
});

it('Today counts the orders to ship, and links to exactly those', async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const { core, store } = own.service.app;
  const shop = { account_id: own.account_id, shop_id: CLAY.shop_id };
  await store.orders.saveRecorded(shop, [
    toOrder(1_001, []),
    toOrder(1_002, ['paid']),
    toOrder(1_003, ['paid', 'shipped']),
    toOrder(1_004, ['paid', 'canceled']),
  ]);
  expect(toText((await seller.get('/dashboard')).text)).toContain('Needs your attention 1 order to ship');
  await store.orders.saveRecorded(shop, [toOrder(1_005, ['paid'])]);
  const page = await seller.get('/dashboard');
  expect(toText(page.text)).toContain('Needs your attention 2 orders to ship');
  const [, href = ''] = /href="(\/dashboard\/orders[^"]*)">Open</.exec(page.text) ?? [];
  const to_send = toText((await seller.get(href)).text);
  for (const receipt_id of ['1002', '1005']) expect(to_send).toContain(receipt_id);
  for (const receipt_id of ['1001', '1003', '1004']) expect(to_send).not.toContain(receipt_id);
  const page_of_one = { is_to_send: true, shop_id: LINEN.shop_id, limit: 9, offset: 0 };
  expect(await core.orders.list(own.account_id, page_of_one)).toMatchObject({ total: 0, items: [] });
  await own.close();
});

it('orders to ship are sorted by the date to ship them by, and Today counts those that are late', async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const shop = { account_id: own.account_id, shop_id: CLAY.shop_id };
  const now_s = Math.floor(Date.now() / 1000);
  await own.service.app.store.orders.saveRecorded(shop, [
    toOrder(1_001, ['paid']),
    toOrder(1_002, ['paid'], now_s + 9_000),
    toOrder(1_003, ['paid'], now_s - 9_000),
    toOrder(1_004, ['paid', 'shipped'], now_s - 9_000),
  ]);
  expect(toText((await seller.get('/dashboard')).text)).toContain('3 orders to ship, 1 late');
  const to_ship = toText((await seller.get('/dashboard/orders?is=to_send')).text);
  expect(to_ship).toMatch(/Late Ship by .* 1003 .* Paid, not shipped Ship by .* 1002 .* Updated .* 1001 /);
  expect(to_ship.match(/Late/g)).toHaveLength(1);
  const more = Array.from({ length: 100 }, (_, place) => toOrder(2_000 + place, ['paid'], now_s - 9_000));
  await own.service.app.store.orders.saveRecorded(shop, more);
  expect(toText((await seller.get('/dashboard')).text)).toMatch(
    /103 orders to ship, at least (9\d|100) late/,
  );
  await own.close();
});

it('the header links to the guide for sellers', async () => {
  const { text } = await visitor.get('/dashboard');
  const [, href = ''] = /<a href="([^"]+)">Docs<\/a>/.exec(text) ?? [];
  expect(href).toBe('/docs/sellers');
  expect((await visitor.get(href)).status).toBe(200);
});

it('the list shows the filter, and where given-up listings are, if there are no other listings', async () => {
  const own = await startDashboard({ CONFIRM_SPENDING: 'off' });
  const seller = await own.signIn();
  const empty = await seller.get('/dashboard/listings');
  expect(toText(empty.text)).toContain('No listings yet');
  expect(empty.text).not.toContain('role="search"');
  const refusal = { type: 'status', status: 400, body: { error: 'No.' } };
  const rules = [{ operation: 'createDraftListing', times: 20, action: refusal }];
  await own.service.control('POST', '/faults', { rules });
  const mug = buildMug(await listTargets(own.service), { state: 'publish' });
  const { listing_pk } = await own.service.call<Made>('listing_create', mug);
  await seller.post(`/dashboard/listings/${listing_pk}/give-up`);
  for (const path of ['/dashboard', '/dashboard/listings']) {
    const { text } = await seller.get(path);
    expect(toText(text)).toContain('No listings besides abandoned ones Show 1 abandoned listing');
    expect(text).toContain('href="/dashboard/listings?is=given_up">Show 1 abandoned listing');
  }
  expect((await seller.get('/dashboard/listings')).text).toContain('role="search"');
  expect(toText((await seller.get('/dashboard/listings?is=given_up')).text)).toContain('1 listing Show all');
  await own.close();
});

it('Today names three listings that were changed outside the service, and the titles of the rest', async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const count = 15;
  const { listing_ids } = await own.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    count,
  });
  expect(listing_ids).toHaveLength(count);
  await own.service.call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  for (const listing_id of listing_ids)
    await own.service.control('POST', `/listings/${listing_id}/edit`, { title: 'Another title' });
  const { listings } = await own.service.call<{ listings: { listing_pk: number }[] }>('listings_list', {
    limit: count,
  });
  // All are read again, and nothing is done.
  for (const { listing_pk } of listings)
    await own.service.call('listing_publish', { listing_pk, state: 'active' });
  const words = toText((await seller.get('/dashboard')).text);
  expect(words.match(/: changed in ClayAndOak outside this service Different/g)).toHaveLength(3);
  expect(words).toMatch(
    /12 more listings changed outside this service (“[^”]+”, ){9}“[^”]+”, and 2 more\. Open the listings/,
  );
  await own.close();
});
