import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, MUGS } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* A draft in shops with two currencies: prices of variations, and the price in each currency. */

const PATH = '/dashboard/listings/new';

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const open = async (path: string) => readForm(seller, await seller.get(path));
const readPrices = (form: Form) =>
  ['price_USD', 'price_EUR', 'row_price_USD', 'row_price_EUR'].map((name) => form.getAll(name).join());

/** Autosaved once before its variations have prices, as happens while a seller types. */
async function startDraft(title: string): Promise<{ form: Form; path: string }> {
  let form = (await open(PATH))
    .set('title', title)
    .set('description', 'Thrown on the wheel.')
    .set('category_id', String(MUGS))
    .set('quantity', '5')
    .set('price_USD', '32')
    .set('price_EUR', '30');
  for (const [{ shop_id }, shipping, returns] of [
    [CLAY, '211740301', '1142500101'],
    [LINEN, '223915882', '1158300402'],
  ] as const) {
    form
      .tick('shop', String(shop_id))
      .set(`shipping_${shop_id}`, shipping)
      .set(`returns_${shop_id}`, returns);
  }
  form = readForm(seller, await form.send(PATH, 'option-add'));
  form.setNth('option_name', 0, 'Size').setNth('option_values', 0, 'Small\nLarge');
  form = readForm(seller, await form.send(PATH, 'refresh'));
  const saved = await form.send(PATH, 'autosave');
  const [, path = ''] = /action="(\/dashboard\/listings\/\d+\/edit)"/.exec(saved.text) ?? [];
  form = readForm(seller, saved);
  for (const [place, usd, eur] of [
    [0, '28', '26'],
    [1, '38', '36'],
  ] as const) {
    form.setNth('row_price_USD', place, usd).setNth('row_price_EUR', place, eur);
  }
  return { form, path };
}

it('saves and reopens a price for each variation and each currency', async () => {
  const { form, path } = await startDraft('Mug with all prices');
  const saved = await form.send(path, 'autosave');
  expect(toText(saved.text)).toContain('All changes are saved.');
  expect(readPrices(await open(path))).toEqual(['32', '30', '28,38', '26,36']);

  const review = await (
    await open(path)
  )
    .set('do', 'publish')
    .choose('mug-front.jpg')
    .then((one) => one.send(path));
  expect(toText(review.text)).toMatch(/Small 28\.00 USD · 26\.00 EUR .*Large 38\.00 USD · 36\.00 EUR/);
  expect(toText(review.text)).not.toContain('not used');
});

it('uses the price in the currency of the shop for a variation without a price', async () => {
  const { form, path } = await startDraft('Mug with another size');
  await form.send(path, 'autosave');
  let more = (await open(path)).setNth('option_values', 0, 'Small\nLarge\nXL');
  more = readForm(seller, await more.send(path, 'refresh'));
  expect(toText((await more.send(path, 'autosave')).text)).toContain('All changes are saved.');
  expect(readPrices(await open(path))).toEqual(['32', '30', '28,38,', '26,36,']);
  const photographed = await (await open(path)).choose('mug-front.jpg');
  const review = await photographed.set('do', 'publish').send(path);
  expect(toText(review.text)).toMatch(/XL 32\.00 USD · 30\.00 EUR/);
});

it('does not need an unused price of a listing with too many variations for the table', async () => {
  const values = Array.from({ length: 21 }, (_, index) => `${index + 1}`);
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug(await listTargets(dashboard.service), {
      variations: {
        properties: [
          { property_id: 513, name: 'Size', values },
          { property_id: 514, name: 'Glaze', values },
        ],
        offerings: values.flatMap((size) => values.map((glaze) => ({ size, glaze, price: 18, quantity: 3 }))),
      },
    }),
  );
  const path = `/dashboard/listings/${listing_pk}/edit`;
  const saved = await (await open(path)).set('title', 'Mug in many sizes').send(path, 'autosave');
  expect(toText(saved.text)).toContain('All changes are saved.');
});

it('asks for a price in a currency that has none, and never uses the amount in another one', async () => {
  const { form, path } = await startDraft('Mug without a price in EUR');
  const cleared = await form.set('price_EUR', '').send(path, 'autosave');
  expect(toText(cleared.text)).toContain('All changes are saved.');
  expect(readPrices(await open(path))).toEqual(['32', '', '28,38', '26,36']);
  let more = (await open(path)).setNth('option_values', 0, 'Small\nLarge\nXL');
  more = readForm(seller, await more.send(path, 'refresh'));
  const refused = await more.send(path);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('href="#price_EUR"');
  expect(toText(refused.text)).toContain('Enter a price in EUR.');
});

it('keeps the price of a variation that equals the price of the listing', async () => {
  const { form, path } = await startDraft('Mug with an equal price');
  await form.setNth('row_price_USD', 0, '32').setNth('row_price_EUR', 0, '30').send(path, 'autosave');
  expect(readPrices(await open(path))).toEqual(['32', '30', '32,38', '30,36']);
  // It stays when the price of the listing changes.
  expect((await (await open(path)).set('price_USD', '35').send(path)).status).toBe(303);
  expect(readPrices(await open(path))).toEqual(['35', '30', '32,38', '30,36']);
});

it('never uses the price in the currency of a shop that is taken out', async () => {
  const { form, path } = await startDraft('Mug that leaves a shop');
  await form.set('price_EUR', '').send(path, 'autosave');
  await (await open(path)).tick('shop', String(CLAY.shop_id), false).send(path, 'autosave');
  const left = await open(path);
  expect(readPrices(left)).toEqual(['', '', ',', '26,36']);
  const review = await (await left.set('do', 'publish').choose('mug-front.jpg')).send(path);
  expect(toText(review.text)).toMatch(/Small 26\.00 EUR .*Large 36\.00 EUR/);
});

it('uses the price of the shop that stays', async () => {
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>('listing_create', {
    ...buildMug(
      (await listTargets(dashboard.service)).map((target, at) => ({ ...target, price: [32, 30][at] })),
    ),
  });
  const path = `/dashboard/listings/${listing_pk}/edit`;
  await (await open(path)).tick('shop', String(CLAY.shop_id), false).send(path, 'autosave');
  const left = await open(path);
  expect(readPrices(left).slice(0, 2)).toEqual(['', '30']);
  const review = await (await left.set('do', 'publish').choose('mug-front.jpg')).send(path);
  expect(toText(review.text)).toContain('New listing, active 30.00 EUR');
  const { request } = await dashboard.service.call<{ request: { listing: { price?: number } } }>(
    'listing_get',
    {
      listing_pk,
    },
  );
  expect(request.listing.price).toBe(30);
});
