import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, CLAY, listTargets, MUGS } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* Prices that depend on one of two options have one field for each of its values. */

const PATH = '/dashboard/listings/new';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

type Offerings = { size: string; glaze: string; price?: number; quantity?: number }[];

const readPrices = async (path: string) => {
  const listing_pk = Number(/\d+/.exec(path)?.[0]);
  const { request } = await dashboard.service.call<{ request: { variations: { offerings: Offerings } } }>(
    'listing_get',
    { listing_pk },
  );
  return request.variations.offerings.map(({ size, glaze, price }) => `${size} ${glaze} ${price}`);
};

async function fill(): Promise<Form> {
  let form = readForm(seller, await seller.get(PATH))
    .set('title', 'Mug in sizes and glazes')
    .set('description', 'Thrown on the wheel.')
    .set('category_id', String(MUGS))
    .tick('shop', String(CLAY.shop_id))
    .set(`shipping_${CLAY.shop_id}`, '211740301')
    .set(`returns_${CLAY.shop_id}`, '1142500101')
    .set('quantity', '4');
  for (const _ of ['size', 'glaze']) form = readForm(seller, await form.send(PATH, 'option-add'));
  form.setNth('option_name', 0, 'Size').setNth('option_values', 0, 'Small\nLarge');
  form.setNth('option_name', 1, 'Glaze').setNth('option_values', 1, 'Oat\nSea');
  return readForm(seller, await form.send(PATH, 'table'));
}

it('applies the price of a size to all its glazes, including one added later', async () => {
  const chosen = await (await fill()).set('priced_by', '0').send(PATH, 'table');
  expect(toText(chosen.text)).toMatch(/Prices vary by Size and Glaze Size only Glaze only/);
  // The note remains after a choice, because choosing the other option replaces prices, too.
  expect(toText(chosen.text)).toContain(
    'If a value already has several prices, the first one replaces the others.',
  );
  let form = readForm(seller, chosen);
  expect(form.getAll('value_of')).toEqual(['Small', 'Large']);
  expect(chosen.text).not.toContain('aria-label="Price in USD of Small, Oat"');
  form.setNth('value_price_USD', 0, '18').setNth('value_price_USD', 1, '24');
  form.setNth('option_values', 1, 'Ash\nOat\nSea');
  form = readForm(seller, await form.send(PATH, 'table'));
  expect(form.getAll('row_price_USD')).toEqual(['18', '18', '18', '24', '24', '24']);
  const saved = await form.tick('row_on', '["Large","Sea"]', false).send(`${PATH}/save`);
  expect(await readPrices(saved.location)).toEqual([
    'Small Ash 18',
    'Small Oat 18',
    'Small Sea 18',
    'Large Ash 24',
    'Large Oat 24',
  ]);
});

it('a problem of a price is shown once, at its value', async () => {
  const form = readForm(seller, await (await fill()).set('priced_by', '1').send(PATH, 'table'));
  form.setNth('value_price_USD', 0, '18').setNth('value_price_USD', 1, '1,000');
  const { status, text } = await form.send(`${PATH}/save`);
  expect(status).toBe(400);
  expect(text.match(/href="#row_price_USD_\d+"/g)).toEqual(['href="#row_price_USD_1"']);
  expect(text).toMatch(/id="row_price_USD_1" aria-invalid="true"[^>]* name="value_price_USD"/);
});

it('opens a saved listing with the option that its prices vary by', async () => {
  const offerings = ['Small', 'Large'].flatMap((size) =>
    ['Oat', 'Sea'].map((glaze) => ({ size, glaze, price: size === 'Small' ? 18 : 24, quantity: 3 })),
  );
  const properties = [
    { property_id: 513, name: 'Size', values: ['Small', 'Large'] },
    { property_id: 514, name: 'Glaze', values: ['Oat', 'Sea'] },
  ];
  const targets = await listTargets(dashboard.service);
  const made = await dashboard.service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug(targets, { variations: { properties, offerings } }),
  );
  const path = `/dashboard/listings/${made.listing_pk}/edit`;
  const open = async () => readForm(seller, await seller.get(path));
  expect(toText((await (await open()).send(path, 'refresh')).text)).toContain('No changes');

  const cheaper = (await open()).setNth('value_price_USD', 1, '22').setNth('value_price_EUR', 1, '20');
  expect((await cheaper.send(path)).status).toBe(303);
  expect((await open()).getAll('row_price_USD')).toEqual(['18', '18', '22', '22']);

  // Prices that differ again have a field for each combination.
  const each = readForm(seller, await (await open()).set('priced_by', '').send(path, 'table'));
  expect(each.getAll('value_of')).toEqual([]);
  each.setNth('row_price_USD', 3, '25').setNth('row_price_EUR', 3, '23');
  expect((await each.send(path)).status).toBe(303);
  const shown = await open();
  expect([shown.getAll('value_of'), shown.getAll('row_price_USD')]).toEqual([[], ['18', '18', '22', '25']]);
});
