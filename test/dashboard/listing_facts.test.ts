import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFee, foreseeFee } from '../../src/dashboard/pages/listing/sale/fee.js';
import { buildMug, CLAY, LINEN, listTargets, upload } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let seller: Visitor;
let targets: Awaited<ReturnType<typeof listTargets>>;
let image: string;

beforeAll(async () => {
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' });
  seller = await dashboard.signIn();
  targets = await listTargets(dashboard.service);
  image = await upload(dashboard.service, 'mug-front.jpg');
});
afterAll(() => dashboard.close());

const see = async (path: string) => toText((await seller.get(path)).text);
const seeListing = (listing_pk: number) => see(`/dashboard/listings/${listing_pk}`);
const call = <Output>(id: string, input: object) => dashboard.service.call<Output>(id, input);
const strike = (...rules: object[]) => dashboard.service.control('POST', '/faults', { rules });

async function create(title: string, more: Record<string, unknown> = {}): Promise<number> {
  const mug = buildMug(targets, { images: [{ url: image }], ...more });
  const body = { ...mug, listing: { ...mug.listing, title } };
  return (await call<{ listing_pk: number }>('listing_create', body)).listing_pk;
}

const SIZES = {
  properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }],
  offerings: [
    { size: 'Small', price: 19, quantity: 3 },
    { size: 'Large', price: 30, quantity: 2 },
  ],
};

it('a page shows every price with its currency if the shops have several', async () => {
  const listing_pk = await create('Price in two currencies');
  const words = await seeListing(listing_pk);
  expect(words).toContain('Add photos… 24.50 USD · 24.50 EUR Description');
  expect(words.replaceAll(/24\.50 (USD|EUR)/g, '')).not.toContain('24.50');

  const varied = await seeListing(await create('Varied in two currencies', { variations: SIZES }));
  expect(varied).toContain('Small 19.00 USD · 19.00 EUR 3');
  expect(varied.replaceAll(/(19|30)\.00 (USD|EUR)/g, '')).not.toMatch(/(19|30)\.00/);
});

it("a page shows a shop's own price in the table of variations", async () => {
  const [first, ...others] = targets;
  const shops = [{ ...first, price: 28 }, ...others];
  const variations = { ...SIZES, offerings: [{ size: 'Small', quantity: 3 }, SIZES.offerings[1]] };
  const words = await seeListing(await create('Own price', { shops, variations }));
  expect(words).toContain('Small 28.00 USD · 24.50 EUR 3');
  expect(words).toContain('Large 30.00 USD · 30.00 EUR 2');
});

it('a page says that the lowest of several variation prices is the lowest, for saved and live listings', async () => {
  for (const state of ['draft', 'active'] as const) {
    const title = `Several prices, ${state}`;
    const listing_pk = await create(title, { variations: SIZES, state });
    const card = (await see('/dashboard/listings')).split(title)[2] ?? '';
    expect(card).toMatch(/^.*? From 19\.00 USD · From 19\.00 EUR/);
    const page = await seeListing(listing_pk);
    expect(page).toMatch(/ClayAndOak .* From 19\.00 USD .*NordLinen .* From 19\.00 EUR .*Add photos/);
  }
});

it("a page keeps showing a shop's fee after another shop was finished", async () => {
  await strike({
    operation: 'createDraftListing',
    shop_id: LINEN.shop_id,
    times: 9,
    action: { type: 'status', status: 400, body: { error: 'No.' } },
  });
  const listing_pk = await create('Paid twice', { state: 'active' });
  await dashboard.service.control('DELETE', '/faults');
  expect((await seeListing(listing_pk)).match(/Fee paid: \$0\.20/g)).toHaveLength(1);
  await call('listing_publish', { listing_pk, state: 'active' });
  expect((await seeListing(listing_pk)).match(/Fee paid: \$0\.20/g)).toHaveLength(2);
  await call('listing_publish', { listing_pk, state: 'inactive' });
  await call('listing_publish', { listing_pk, state: 'active', shops: [CLAY.shop_id, LINEN.shop_id] });
  expect((await seeListing(listing_pk)).match(/Fee paid: \$0\.20/g)).toHaveLength(2);
});

it('a page shows a failure once, without repeating it as a note', async () => {
  await strike({
    operation: 'uploadListingImage',
    times: 99,
    action: { type: 'status', status: 400, body: { error: 'No such photo.' } },
  });
  const listing_pk = await create('Photo refused', { state: 'active', shops: targets.slice(0, 1) });
  await dashboard.service.control('DELETE', '/faults');
  const words = await seeListing(listing_pk);
  expect(words.match(/No such photo/g)).toHaveLength(1);
  expect(words).toContain('It stopped while sending photos.');
});

it('a page shows an automatic default while it can still be changed, and not once the listing is live', async () => {
  const note = 'No processing profile was chosen';
  const listing_pk = await create('Default profile', { shops: targets.slice(0, 1), state: 'publish' });
  expect(await seeListing(listing_pk)).toContain(note);
  await call('listing_publish', { listing_pk, state: 'active' });
  expect(await seeListing(listing_pk)).not.toContain(note);
});

it.each([
  [['1'], 'Costs $0.20.'],
  [['1', '2'], 'Costs $0.40: $0.20 for each of 2 shops.'],
  [[], 'Free: the fee is already paid in every shop.'],
])('a page shows for the shops %j the total and each cost of publishing', (shop_ids, words) => {
  expect(describeFee(foreseeFee({ shop_ids, results: [], shops: [] }))).toBe(words);
});
