import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, CLAY, LINEN, listTargets, MUGS } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* A listing is made in forms that need no scripts. */

const PATH = '/dashboard/listings/new';
const HOSTILE = '<img src=x onerror=alert(1)>.jpg';

type World = {
  listings: {
    listing_id: number;
    shop_id: number;
    state: string;
    fields: { title: string };
    images: unknown[];
  }[];
  fees: unknown[];
};
type Saved = {
  request: {
    shops: { shop_id: number; price?: number }[];
    listing: Record<string, unknown>;
    images: { url: string; alt_text?: string }[];
    variations?: { offerings: Record<string, unknown>[] };
  };
};

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const readWorld = () => dashboard.service.control<World>('GET', '/state');
const open = async () => readForm(seller, await seller.get(PATH));
const step = async (form: Form, name: string) => readForm(seller, await form.send(PATH, name));

function fillIn(form: Form, title: string): Form {
  return form
    .set('title', title)
    .set('description', 'Thrown on the wheel.\nHolds 300 ml.')
    .set('tags', 'mug, stoneware')
    .set('category_id', String(MUGS))
    .tick('shop', String(CLAY.shop_id))
    .tick('shop', String(LINEN.shop_id))
    .set(`shipping_${CLAY.shop_id}`, '211740301')
    .set(`returns_${CLAY.shop_id}`, '1142500101')
    .set(`shipping_${LINEN.shop_id}`, '223915882')
    .set(`returns_${LINEN.shop_id}`, '1158300402')
    .set('price_USD', '24.50')
    .set('price_EUR', '21,90')
    .set('quantity', '4');
}

/** A form that can be published, with a photo. */
async function fill(title: string): Promise<Form> {
  const form = await (await open()).choose('mug-front.jpg');
  return fillIn(await step(form, 'photos'), title);
}

const read = async (location: string) =>
  dashboard.service.call<Saved>('listing_get', { listing_pk: Number(location.split('/').at(-1)) });

it('a review shows the fee, and publishing in two shops costs that fee, once', async () => {
  const before = await readWorld();
  const filled = (await fill('Mug by hand')).set(`processing_${LINEN.shop_id}`, '1391700000403');
  const review = await filled.send(`${PATH}/review`);
  expect(review.status).toBe(200);
  const text = toText(review.text);
  expect(text).toContain('ClayAndOak New listing, active 24.50 USD $0.20');
  expect(text).toContain('NordLinen New listing, active 21.90 EUR $0.20');
  expect(text).toContain('Publish in 2 shops for $0.40');
  expect(text).toMatch(/Category: Home .* Mugs/);
  expect(text).toContain('Description Thrown on the wheel. Holds 300 ml.');
  expect(text).toMatch(
    /ClayAndOak Shipping profile \w.+ Return policy Returns .+ NordLinen Shipping profile/,
  );
  expect(text).toMatch(
    /NordLinen Shipping profile \w.+ Return policy Returns .+ Processing profile Made to order/,
  );
  // Values that nobody chose are named, in the form too.
  const assumed = /made by you, to order, and not as a craft supply/;
  expect(text).toMatch(assumed);
  expect(toText((await seller.get(PATH)).text)).toContain('a finished product, made by you, to order.');
  expect(text).toMatch(/ClayAndOak: No processing profile was chosen/);
  expect((await readWorld()).listings).toHaveLength(before.listings.length);
  const form = readForm(seller, review).set('state', 'active');
  const answers = [await form.send(`${PATH}/publish`), await form.send(`${PATH}/publish`)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(answers[0]?.location).toBe(answers[1]?.location);
  const after = await readWorld();
  const own = after.listings.filter(({ fields }) => fields.title === 'Mug by hand');
  expect(own.map(({ state, images }) => [state, images.length])).toEqual([
    ['active', 1],
    ['active', 1],
  ]);
  expect(after.fees.length - before.fees.length).toBe(2);
});

it('nothing is published for a fee that was not shown', async () => {
  const before = await readWorld();
  const review = await (await fill('Mug for another fee')).send(`${PATH}/review`);
  const form = readForm(seller, review).set('state', 'active').set('sum', '0.20');
  const refused = await form.send(`${PATH}/publish`);
  expect(refused.status).toBe(409);
  expect(toText(refused.text)).toContain('The fees have changed since you were asked.');
  expect(toText(refused.text)).toContain('Publish in 2 shops for $0.40');
  expect(await readWorld()).toEqual(before);
});

it('a refusal shows each problem next to its field, and a link to it', async () => {
  const form = (await fill('x'.repeat(141)))
    .set('tags', 'mug, b@')
    .set('quantity', '1,000')
    .set('price_EUR', '')
    .set(`shipping_${LINEN.shop_id}`, '');
  const { status, text } = await form.send(`${PATH}/review`);
  expect(status).toBe(400);
  for (const field of ['title', 'tags', 'quantity', 'price_EUR', `shipping_${LINEN.shop_id}`]) {
    expect(text).toContain(`<a href="#${field}">`);
    expect(text).toMatch(new RegExp(`<p class="problem" id="${field}-problem">`));
    expect(text).toMatch(new RegExp(`id="${field}" aria-invalid="true"`));
  }
  expect(toText(text)).toContain('Enter a price in EUR.');
  expect(toText(text)).toContain('These characters are not allowed: @. Use only');
  expect(text).toContain('value="1,000"');

  const blank = await (await open()).send(`${PATH}/review`);
  expect(toText(blank.text)).toContain('Choose a category.');
  expect(toText(blank.text)).toContain('Choose at least one shop.');
});

it('saving a draft makes no call to the marketplace', async () => {
  const before = await readWorld();
  const saved = await (await fill('Mug as a draft')).send(`${PATH}/save`);
  expect(saved.status).toBe(303);
  const { request } = await read(saved.location);
  expect(request.listing).toMatchObject({
    title: 'Mug as a draft',
    description: 'Thrown on the wheel.\nHolds 300 ml.',
    tags: ['mug', 'stoneware'],
    taxonomy_id: MUGS,
    price: 24.5,
  });
  expect(request.shops.map(({ price }) => price)).toEqual([undefined, 21.9]);
  expect((await readWorld()).listings).toEqual(before.listings);
});

describe('photos in the form', () => {
  it('are uploaded several at once, and moved and removed with buttons', async () => {
    const form = await (await (await open()).choose('mug-front.jpg', HOSTILE)).choose('mug-side.jpg');
    const shown = await form.send(PATH, 'photos');
    expect(toText(shown.text)).toContain('2 of 10.');
    expect(shown.text).not.toContain('<img src=x');
    const added = readForm(seller, shown);
    const [front = '', side = ''] = added.getAll('photo');
    const moved = await step(added.setNth('photo_alt', 1, 'A mug'), `photo-main ${side}`);
    expect(moved.getAll('photo')).toEqual([side, front]);
    expect(moved.getAll('photo_alt')).toEqual(['A mug', '']);
    expect((await step(moved, `photo-down ${side}`)).getAll('photo')).toEqual([front, side]);
    expect((await step(moved, `photo-remove ${side}`)).getAll('photo')).toEqual([front]);
  });

  it('that are refused are named, and the others stay', async () => {
    const form = await (await (await open()).choose('fake.jpg', HOSTILE)).choose('mug-side.jpg');
    const { status, text } = await form.send(PATH, 'photos');
    expect(status).toBe(400);
    expect(text).toContain('<p class="problem" id="photos-part-problem">');
    expect(text).not.toContain('<img src=x');
    expect(toText(text)).toContain('1 of 10.');
  });
});

describe('variations in the form', () => {
  it('are a table of options, whose rows keep their values', async () => {
    let form = await step(await fill('Mug in two sizes'), 'option-add');
    form = await step(form.set('option_name', 'Size').set('option_values', 'Small\tx\r\nLarge\ty'), 'table');
    expect(form.getAll('row')).toEqual(['["Small"]', '["Large"]']);
    form = form.setNth('row_price_USD', 0, '18').setNth('row_price_EUR', 1, '25').setNth('row_stock', 1, '7');
    form = await step(form, 'option-add');
    form = await step(
      form.setNth('option_name', 1, 'Glaze').setNth('option_values', 1, 'Oat\r\nSea'),
      'table',
    );
    expect(form.getAll('row')).toEqual([
      '["Small","Oat"]',
      '["Small","Sea"]',
      '["Large","Oat"]',
      '["Large","Sea"]',
    ]);
    expect(form.getAll('row_price_USD')).toEqual(['18', '18', '', '']);
    form = await step(form.setNth('option_values', 0, 'Espresso\r\nLarge'), 'table');
    expect(form.getAll('row_price_USD')).toEqual(['18', '18', '', '']);
    form = form.tick('row_on', '["Large","Sea"]', false).set('fill_column', 'sku');
    form = await step(form.set('fill_text', 'E-O\nE-S\nL-O'), 'fill');
    expect(form.getAll('row_sku')).toEqual(['E-O', 'E-S', 'L-O', '']);

    const saved = await form.send(`${PATH}/save`);
    const { request } = await read(saved.location);
    expect(request.variations?.offerings).toEqual([
      { size: 'Espresso', glaze: 'Oat', price: 18, sku: 'E-O' },
      { size: 'Espresso', glaze: 'Sea', price: 18, sku: 'E-S' },
      { size: 'Large', glaze: 'Oat', quantity: 7, sku: 'L-O' },
    ]);
  });

  it('never move a price from one currency to another', async () => {
    let form = await step((await fill('Mug in two currencies')).set('price_EUR', ''), 'option-add');
    form = await step(form.set('option_name', 'Size').set('option_values', 'Small\r\nLarge'), 'table');
    form = form.setNth('row_price_USD', 0, '18').setNth('row_price_EUR', 0, '17');
    expect(toText((await form.send(`${PATH}/review`)).text)).toContain('Enter a price in EUR.');
    form = form.setNth('row_price_EUR', 1, '25');
    const review = await form.send(`${PATH}/review`);
    const text = toText(review.text);
    expect(text).toContain('From 18.00 USD');
    expect(text).toContain('From 17.00 EUR');
    expect(text).toContain('Small 18.00 USD · 17.00 EUR 4 Large 24.50 USD · 25.00 EUR 4');
    expect(text).not.toContain('unknown key');
    const { location } = await form.send(`${PATH}/save`);
    const page = toText((await seller.get(location)).text);
    expect(page).toContain('From 18.00 USD · From 17.00 EUR');
    expect(page).toContain('18.00 USD · 17.00 EUR');
    expect(page).toContain('24.50 USD · 25.00 EUR');
  });

  it('come from a single line with commas, unless the option has saved values', async () => {
    let form = await step(await fill('Mug in three sizes'), 'option-add');
    form = await step(
      form.set('option_name', 'Size').set('option_values', ' Small, Medium,Large, '),
      'table',
    );
    expect(form.getAll('row')).toEqual(['["Small"]', '["Medium"]', '["Large"]']);
    expect(form.getAll('option_values')).toEqual(['Small\r\nMedium\r\nLarge']);

    const made = await dashboard.service.call<{ listing_pk: number }>(
      'listing_create',
      buildMug(await listTargets(dashboard.service), {
        variations: {
          properties: [{ property_id: 513, name: 'Glaze', values: ['Oat, matte'] }],
          offerings: [{ glaze: 'Oat, matte', price: 18, quantity: 3 }],
        },
      }),
    );
    const path = `/dashboard/listings/${made.listing_pk}/edit`;
    let saved = readForm(seller, await seller.get(path));
    expect(toText((await saved.send(path, 'refresh')).text)).toContain('No changes');
    // Renaming it keeps its row.
    saved = readForm(seller, await saved.set('option_values', 'Oat, satin').send(path, 'refresh'));
    expect(saved.getAll('row')).toEqual(['["Oat, satin"]']);
    expect(saved.getAll('row_stock')).toEqual(['3']);

    const half = await step(await fill('Bottle in one size'), 'option-add');
    const bottle = half.set('option_name', 'Volume').set('option_values', '0,5 l');
    expect((await step(bottle, 'table')).getAll('row')).toEqual(['["0,5 l"]']);
  });

  it('have their problems in the cells of the table', async () => {
    let form = await step(await fill('Mug with wrong cells'), 'option-add');
    form = await step(form.set('option_name', 'Size').set('option_values', 'Small\r\nLarge'), 'table');
    form = form.setNth('row_price_USD', 1, '0,10').setNth('row_stock', 0, 'a few');
    const { text } = await form.send(`${PATH}/review`);
    expect(text).toContain('<p class="problem" id="row_price_USD_1-problem">');
    expect(text).toContain('<p class="problem" id="row_stock_0-problem">');
  });
});

it('the form finds a category by words, and asks for its required details', async () => {
  const found = await (await open()).set('category_words', 'mug').send(PATH, 'category-find');
  // The only one that fits is chosen.
  expect(toText(found.text)).toContain('Drinkware > Mugs');
  expect(toText(found.text)).toContain('Drinkware material Ceramic');
  const several = await (await open()).set('category_words', 'linen').send(PATH, 'category-find');
  expect(toText(several.text)).toContain('Choose the category that fits');
  const form = readForm(seller, found).tick('attribute_357', '2100').set('attribute_358', '2140');
  const saved = await fillIn(form, 'Mug of ceramic').send(`${PATH}/save`);
  expect((await read(saved.location)).request).toMatchObject({
    category_attributes: { '357': { value_ids: [2100] }, '358': { value_ids: [2140] } },
  });
});

it('a form that is too large is refused before any of it is stored', async () => {
  const form = (await open()).set('description', 'x'.repeat(600 * 1024));
  const { status, text } = await form.send(PATH, 'refresh');
  expect(status).toBe(400);
  expect(toText(text)).toContain('Description: This is too long.');
});
