import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BatchEdit, BatchesPage } from '../../schemas/batch.js';
import { makeListings } from '../core/batches/rig.js';
import type { Made } from '../core/listings/update/rig.js';
import { buildMug, listTargets } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* Selected listings in the list; each way to change them ends in the review of a plan. */

let dashboard: TestDashboard;
let seller: Visitor;
let mugs: Made[];

beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
  mugs = await makeListings(dashboard.service, 2, { tags: ['mug'] });
});
afterAll(() => dashboard.close());

const see = async (path: string) => toText((await seller.get(path)).text);

const inShops = () => (mugs[0]?.shops ?? []).map(({ shop_id }): [string, string] => ['in', `${shop_id}`]);

/** Submits the form of a change; returns the resulting plan. */
async function plan(kind: string, op: string, fields: Record<string, string>, more: [string, string][] = []) {
  const ticked = mugs.slice(0, 1).map(({ listing_pk }): [string, string] => ['listing', `${listing_pk}`]);
  const selected = more.some(([name]) => name === 'all' || name === 'listing') ? [] : ticked;
  const shops = more.some(([name]) => name === 'in') ? [] : inShops();
  const form = [['do', kind], ['op', op], ...selected, ...shops, ...more, ...Object.entries(fields)] as [
    string,
    string,
  ][];
  const { status, location, text } = await seller.post('/dashboard/changes/new', form);
  if (status !== 303) return { status, page: toText(text) };
  const found = await dashboard.service.call<BatchesPage>('batches_list', {
    batch_id: location.split('/').at(-1),
  });
  const { edits, counts } = found.batches[0] ?? {};
  return { status, page: await see(location), edits, counts };
}

it('the list shows the actions for selected listings', async () => {
  const list = await see('/dashboard/listings?q=mug');
  expect(list).toContain('Select Stoneware mug 1');
  expect(list).toContain(
    'Select all 2 listings found Select listings to change them. Price Stock Tags Section Title Description',
  );
  expect(await see('/dashboard/changes/new?do=price')).toContain('No listings selected');
  const form = await see(`/dashboard/changes/new?do=price&listing=${mugs[0]?.listing_pk}`);
  expect(form).toContain('1 listing selected. You review every change before anything is saved to Etsy.');
  expect(form).toContain('Price in EUR Leave blank to keep prices in EUR unchanged.');
});

it.each<[string, string, Record<string, string>, BatchEdit[]]>([
  [
    'price',
    'percent',
    { way: 'raise', percent: '10', round_EUR_USD: 'x.90' },
    [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }],
  ],
  [
    'price',
    'amount',
    { way: 'lower', amount_EUR: '2,50', amount_USD: '' },
    [{ field: 'price', op: 'increase_by', value: -2.5, currency: 'EUR' }],
  ],
  [
    'price',
    'set',
    { amount_EUR: '19', amount_USD: '21' },
    [
      { field: 'price', op: 'set', value: 19, currency: 'EUR' },
      { field: 'price', op: 'set', value: 21, currency: 'USD' },
    ],
  ],
  [
    'price',
    'percent',
    { way: 'lower', percent: '10 % ', round_EUR_USD: '' },
    [{ field: 'price', op: 'increase_percent', value: -10 }],
  ],
  ['stock', 'add', { way: 'lower', value: '1' }, [{ field: 'quantity', op: 'add', value: -1 }]],
  ['tags', 'add', { value: 'gift, oak ,' }, [{ field: 'tags', op: 'add', value: ['gift', 'oak'] }]],
  ['title', 'append', { value: 'in oat' }, [{ field: 'title', op: 'append', value: ' in oat' }]],
  [
    'description',
    'replace',
    { find: 'A mug', with: 'One mug' },
    [{ field: 'description', op: 'replace', find: 'A mug', with: 'One mug' }],
  ],
  ['sale', 'inactive', {}, [{ field: 'state', op: 'inactive' }]],
])('a form plans a change of %s: %s', async (kind, op, fields, edits) => {
  const planned = await plan(kind, op, fields);
  expect(planned.edits).toEqual(edits);
  expect(planned.page).toContain('Not started 1 listing in 2 shops');
});

it('a plan covers all listings that the filter finds, in the chosen shops', async () => {
  const clay = ['in', `${mugs[0]?.shops[0]?.shop_id}`] as [string, string];
  const filter: [string, string][] = [['all', '1'], ['q', 'mug 2'], clay];
  const { counts, page } = await plan('section', 'set', { value: 'none' }, filter);
  expect(counts).toMatchObject({ listings: 1, shops: 1, items: 1 });
  expect(page).toContain('Shop section removed');
});

it('a plan of all listings says why a draft that is only saved here is skipped', async () => {
  const request = buildMug(await listTargets(dashboard.service), {
    state: 'draft',
    idempotency_key: 'saved',
  });
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>('listing_create', request);
  const some = await plan('tags', 'add', { value: 'gift' }, [['all', '1']]);
  expect(some.page).toContain('4 changes to 2 listings.');
  expect(some.page).toContain('2 skipped: see the reasons below.');
  expect(some.page).toContain('The listing is not in this shop on Etsy yet');
  const pair = [mugs[0]?.listing_pk, listing_pk].map((pk): [string, string] => ['listing', `${pk}`]);
  const none = await plan('tags', 'add', { value: 'mug' }, pair);
  expect(none.page).toContain('Nothing to change: 2 unchanged, 2 skipped.');
  await dashboard.service.call('listing_delete', { listing_pk });
});

it.each<[string, string, Record<string, string>, string]>([
  ['stock', 'set', { value: '1,000' }, 'Stock: Enter a whole number without thousands separators'],
  ['stock', 'set', { value: '1.000' }, 'Stock: Enter a whole number without thousands separators'],
  ['price', 'set', { amount_USD: '1,250' }, 'Price in USD: Enter a number without thousands separators'],
  ['price', 'percent', { percent: '1.000' }, 'Percent: Enter a number without thousands separators'],
  ['price', 'percent', { way: 'lower', percent: '-10' }, 'Percent: Leave out the minus sign'],
  ['price', 'set', { amount_USD: '10%' }, 'Price in USD: Enter a number without thousands separators'],
  ['stock', 'add', { way: 'lower', value: '-2' }, 'Quantity: Leave out the minus sign'],
  ['sale', 'active', { stock: '1.000' }, 'Stock for sold-out listings: Enter a whole number'],
])('a number that could be misread is refused: %s, %s, %j', async (kind, op, fields, words) => {
  const { status, page } = await plan(kind, op, fields);
  expect(status).toBe(400);
  expect(page).toContain(words);
});

it('prices are planned only in the currencies of the selected shops', async () => {
  const [clay] = inShops();
  const { edits } = await plan('price', 'set', { amount_EUR: '19', amount_USD: '21' }, clay ? [clay] : []);
  expect(edits).toEqual([{ field: 'price', op: 'set', value: 21, currency: 'USD' }]);
});

it('a form asks for a shop if none is selected', async () => {
  const { status, page } = await plan('tags', 'add', { value: 'gift' }, [['in', '']]);
  expect(status).toBe(400);
  expect(page).toContain('Select at least one shop.');
});

it("only the filter's shop is offered if all listings found are selected", async () => {
  const [, [, linen] = []] = inShops();
  const form = await see(`/dashboard/changes/new?do=price&all=1&shop=${linen}`);
  expect(form).toContain('Price in EUR');
  expect(form).not.toContain('Price in USD');
  expect(form).not.toContain('In these shops');
});

it('a refused form keeps the input', async () => {
  const wrong = await plan('price', 'percent', { way: 'lower', percent: 'a tenth' });
  expect(wrong.status).toBe(400);
  expect(wrong.page).toContain('Percent: Enter a number without thousands separators');
  expect(wrong.page).toContain('Percent Enter a number without thousands separators');
  const missing = await plan('stock', 'set', { value: '' });
  expect(missing.page).toContain('A value is missing.');
  const none = await plan('tags', 'add', { value: 'gift' }, [
    ['all', '1'],
    ['q', 'no such'],
  ]);
  expect(none.page).toContain('None of the listings that are managed here match.');
});

it('a sheet is downloaded, and uploading it plans its edited cells', async () => {
  const query = `listing=${mugs[0]?.listing_pk}&listing=${mugs[1]?.listing_pk}`;
  expect(await see(`/dashboard/changes/new?do=sheet&${query}`)).toContain('Download a spreadsheet');
  const sheet = await seller.get(`/dashboard/changes/sheet/download?format=csv&${query}`);
  expect(sheet.headers.get('content-disposition')).toMatch(/^attachment; filename="listings-.*\.csv"$/);
  const upload = (text: string) => {
    const form = new FormData();
    form.set('csrf_token', seller.getToken());
    form.set('file', new Blob([text]), 'listings.csv');
    return seller.postForm('/dashboard/changes/sheet', form);
  };
  const edited = await upload(sheet.text.replaceAll('Stoneware mug 1', 'Mug of stoneware'));
  expect(edited.status).toBe(303);
  const page = await see(edited.location);
  expect(page).toContain('Edits from a spreadsheet');
  expect(page).toContain('2 changes to 1 listing.');
  await seller.post(`${edited.location}/cancel`);
  const canceled = await see(edited.location);
  expect(canceled).toContain('Plan again…');
  expect(canceled).not.toMatch(/Plan the \d+/);
  const other = await upload('name,price\nmug,20\n');
  expect(other.status).toBe(400);
  expect(toText(other.text)).toContain('The first row is not the header row of an exported sheet.');
});
