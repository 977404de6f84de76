import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBatches } from '../core/batches/rig.js';
import { buildMug, CLAY, LINEN, listTargets, MUGS } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* The form of a new listing saves itself as a draft, and makes one listing however often it is sent. */

const PATH = '/dashboard/listings/new';

type Saved = { request: { shops: { shop_id: number; price?: number }[]; listing: Record<string, unknown> } };
type Listed = { listing_pk: number; title: string }[];

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const read = async (listing_pk: number) =>
  (await dashboard.service.call<Saved>('listing_get', { listing_pk })).request;
const find = async (title: string) =>
  (await dashboard.service.call<{ listings: Listed }>('listings_list', { limit: 100 })).listings.filter(
    (listing) => listing.title === title,
  );
/** The address to which a page's form is submitted. */
const readAction = ({ text }: { text: string }) =>
  /<form method="post" action="([^"]*)" enctype="multipart/.exec(text)?.[1] ?? '';
const toPk = (path: string) => Number(/\/listings\/(\d+)/.exec(path)?.[1]);

async function fill(title: string, shops = [CLAY, LINEN]): Promise<Form> {
  const form = readForm(seller, await seller.get(PATH))
    .set('title', title)
    .set('description', 'Thrown on the wheel.')
    .set('category_id', String(MUGS))
    .set('price_USD', '24.50')
    .set('price_EUR', '21.90')
    .set('quantity', '4');
  for (const { shop_id } of shops) choose(form, shop_id);
  return form;
}

const open = async (path: string) => readForm(seller, await seller.get(`${path}/edit`));

/** Selects a shop and chooses its profiles. */
function choose(form: Form, shop_id: number): Form {
  const [shipping, returns] =
    shop_id === CLAY.shop_id ? ['211740301', '1142500101'] : ['223915882', '1158300402'];
  return form
    .tick('shop', String(shop_id))
    .set(`shipping_${shop_id}`, shipping)
    .set(`returns_${shop_id}`, returns);
}

const readProfiles = (form: Form) =>
  [CLAY, LINEN].flatMap(({ shop_id }) => [
    ...form.getAll(`shipping_${shop_id}`),
    ...form.getAll(`returns_${shop_id}`),
  ]);

describe('the form of a new listing', () => {
  it('saves itself as one draft, which it edits from then on', async () => {
    const form = await fill('Saved by itself');
    const answer = await form.send(PATH, 'autosave');
    expect(toText(answer.text)).toContain('Saved as a draft.');
    const action = readAction(answer);
    expect(action).toMatch(/^\/dashboard\/listings\/\d+\/edit$/);
    await readForm(seller, answer).set('title', 'Saved again').send(action, 'autosave');
    expect((await read(toPk(action))).listing['title']).toBe('Saved again');
    expect(await find('Saved by itself')).toEqual([]);
    expect(await find('Saved again')).toHaveLength(1);
  });

  it('continues with its draft if the answer to the first save was lost', async () => {
    const form = await fill('Answer was lost');
    await form.send(PATH, 'autosave');
    const answer = await form.set('title', 'Typed on').send(PATH, 'autosave');
    expect(toText(answer.text)).toContain('Saved as a draft.');
    expect((await read(toPk(readAction(answer)))).listing['title']).toBe('Typed on');
    expect([...(await find('Answer was lost')), ...(await find('Typed on'))]).toHaveLength(1);
  });

  it('is not saved while it is not a valid draft, and says what is missing', async () => {
    const answer = await (await fill('', [])).send(PATH, 'autosave');
    expect(answer.status).toBe(200);
    expect(toText(answer.text)).toContain('Not saved yet. Add a title and a shop. Review');
    const worse = readForm(seller, answer)
      .set('description', ' ')
      .set('price_USD', '')
      .set('quantity', '1,000')
      .set('tags', 'a tag that has too many characters')
      .set(`shipping_${CLAY.shop_id}`, '')
      .set(`returns_${CLAY.shop_id}`, '')
      .tick('shop', String(CLAY.shop_id));
    expect(toText((await worse.send(PATH, 'autosave')).text)).toContain(
      'Not saved yet. Add a title, a description, a shipping profile, a return policy, and a price. Needs correction: Stock, Tags.',
    );
    const priced = await (await fill('Two shops')).set('price_EUR', '').send(PATH, 'autosave');
    expect(toText(priced.text)).toContain('Not saved yet. Add a price in EUR. Review');
    const lacking = (await fill('Two shops')).set(`returns_${LINEN.shop_id}`, '');
    expect(toText((await lacking.send(PATH, 'autosave')).text)).toContain(
      'Not saved yet. Add a return policy for NordLinen. Review',
    );
    const varied = readForm(seller, await (await fill('In sizes')).send(PATH, 'option-add'));
    expect(toText((await varied.send(PATH, 'autosave')).text)).toContain(
      'Not saved yet. Add the first option and its values. Review',
    );
    const both = readForm(seller, await varied.send(PATH, 'option-add'));
    expect(toText((await both.send(PATH, 'autosave')).text)).toContain(
      'Add the first option, its values, the second option, and the values of the second option. Review',
    );
    varied.setNth('option_name', 0, 'Size');
    expect(toText((await varied.send(PATH, 'autosave')).text)).toContain(
      'Not saved yet. Add the values of Size. Review',
    );
    varied
      .setNth('option_values', 0, 'Small\nLarge')
      .set('price_USD', '')
      .set('price_EUR', '')
      .set('quantity', '');
    const unpriced = readForm(seller, await varied.send(PATH, 'refresh'));
    expect(toText((await unpriced.send(PATH, 'autosave')).text)).toContain(
      'Not saved yet. Add prices in USD, prices in EUR, and stock. Review',
    );
    const blank = await readForm(seller, await seller.get(PATH)).send(PATH, 'autosave');
    expect(toText(blank.text)).toContain(
      'Not saved yet. Add a title, a description, a category, a shop, a price, and a stock quantity.',
    );
    expect(answer.text).not.toContain('class="problem"');
    expect(readAction(answer)).toBe(PATH);
  });

  it('begins with the profiles of the listing saved last', async () => {
    for (const shipping of ['211740302', '211740301']) {
      const last = (await fill(`By ${shipping}`)).set(`shipping_${CLAY.shop_id}`, shipping);
      await last.send(`${PATH}/save`);
      const next = readForm(seller, await seller.get(PATH));
      expect(readProfiles(next)).toEqual(readProfiles(last));
      expect(next.getAll('shop')).toEqual([]);
    }
  });

  it('does not take the profiles of a shop that is not selected for a change', async () => {
    const form = await fill('In one shop only', [CLAY]);
    expect(form.getAll(`returns_${LINEN.shop_id}`)).toEqual(['1158300402']);
    const saved = readForm(seller, await form.send(PATH, 'autosave'));
    const path = readAction(await form.send(PATH, 'autosave'));
    await dashboard.service.call('listing_update', {
      listing_pk: toPk(path),
      changes: { shops: [{ shop_id: CLAY.shop_id, shipping_profile_id: 211740302 }] },
    });
    const later = await saved.set('title', 'Still in one shop').send(path, 'autosave');
    expect(toText(later.text)).toContain('All changes are saved.');
  });

  it('is saved once if the seller goes back and saves it with other words', async () => {
    const form = await fill('First words');
    const first = await form.send(`${PATH}/save`);
    const second = await form.set('title', 'Second words').send(`${PATH}/save`);
    expect([second.status, second.location]).toEqual([303, first.location]);
    const third = await form.send(`${PATH}/save`);
    expect([third.status, third.location]).toEqual([303, first.location]);
    expect((await read(toPk(first.location))).listing['title']).toBe('Second words');
    expect(await find('First words')).toEqual([]);
  });

  it('shows both values if its draft was changed elsewhere, and overwrites nothing', async () => {
    const form = await fill('Mine');
    const { location } = await form.set('tags', 'mine').send(`${PATH}/save`);
    const listing_pk = toPk(location);
    const changes = { listing: { title: 'Of the assistant', materials: ['clay'] } };
    await dashboard.service.call('listing_update', { listing_pk, changes });
    for (const [path, step] of [
      [PATH, 'autosave'],
      [`${PATH}/save`, undefined],
      [`${PATH}/review`, undefined],
    ] as const) {
      const { status, text } = await form.set('title', 'Mine & again').send(path, step);
      expect(status).toBe(409);
      expect(toText(text)).toContain('You have already saved this listing, and it has changed since.');
      expect(toText(text)).toContain('Title Of the assistant');
      expect(text).toContain('value="Mine &amp; again"');
      expect(readForm(seller, { text }).getAll('materials')).toEqual(['clay']);
    }
    expect((await read(listing_pk)).listing['title']).toBe('Of the assistant');

    const shown = await form.send(`${PATH}/save`);
    const another = await readForm(seller, shown).send(PATH, 'another');
    const made = await readForm(seller, another).set('title', 'Another one').send(`${PATH}/save`);
    expect(toPk(made.location)).not.toBe(listing_pk);
    expect((await read(listing_pk)).listing['title']).toBe('Of the assistant');
    expect((await readForm(seller, shown).send(readAction(shown))).location).toBe(location);
    expect((await read(listing_pk)).listing['title']).toBe('Mine & again');
  });
});

describe('the shops of a saved listing', () => {
  it('are selected and deselected while it is a draft', async () => {
    const { location } = await (await fill('In other shops', [CLAY])).send(`${PATH}/save`);
    const added = await choose(await open(location), LINEN.shop_id)
      .set('price_EUR', '22')
      .send(`${location}/edit`);
    expect(added.location).toBe(location);
    expect((await read(toPk(location))).shops).toMatchObject([
      { shop_id: CLAY.shop_id },
      { shop_id: LINEN.shop_id, price: 22 },
    ]);

    const form = (await open(location)).tick('shop', String(CLAY.shop_id), false).set('title', 'In one shop');
    const removed = await form.send(`${location}/edit`);
    expect([removed.status, removed.location]).toEqual([303, location]);
    expect(await find('In one shop')).toHaveLength(1);
    const { shops } = await read(toPk(location));
    expect(shops).toMatchObject([{ shop_id: LINEN.shop_id, price: 22 }]);

    const none = await (
      await open(location)
    )
      .tick('shop', String(LINEN.shop_id), false)
      .send(`${location}/edit`);
    expect(none.status).toBe(400);
    expect(none.text).toContain('<p class="problem" id="shops-part-problem">');
    expect(await find('In one shop')).toHaveLength(1);
  });

  it('are removed without losing changes that an assistant saves at the same time', async () => {
    const { location } = await (await fill('Left by one shop')).send(`${PATH}/save`);
    const listing_pk = toPk(location);
    const form = (await open(location)).tick('shop', String(LINEN.shop_id), false);
    const [left] = await Promise.all([
      form.send(`${location}/edit`, 'autosave'),
      ...['walnut', 'oak', 'ash'].map((material) =>
        dashboard.service.call('listing_update', {
          listing_pk,
          changes: { listing: { materials: [material] } },
        }),
      ),
    ]);
    expect(left.status).toBe(200);
    const { shops, listing } = await read(listing_pk);
    expect(shops).toMatchObject([{ shop_id: CLAY.shop_id }]);
    expect(listing['materials']).toHaveLength(1);
  });

  it('grow after a review, each with the price in its currency', async () => {
    const { service } = dashboard;
    const [clay] = await listTargets(service);
    if (!clay) throw new Error('no shop');
    const sizes = {
      properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }],
      offerings: [
        { size: 'Small', price: 18, quantity: 3 },
        { size: 'Large', price: 24, quantity: 2 },
      ],
    };
    const mug = buildMug([clay], { state: 'publish', variations: sizes });
    const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', mug);
    const path = `/dashboard/listings/${listing_pk}/edit`;
    const form = choose(readForm(seller, await seller.get(path)), LINEN.shop_id);
    expect(form.getAll('row_price_EUR')).toEqual(['', '']);
    const lacking = await form.send(path);
    expect(lacking.status).toBe(400);
    expect(toText(lacking.text)).toContain('Enter a price in EUR.');
    form.setNth('row_price_EUR', 0, '17').setNth('row_price_EUR', 1, '22');
    const counted = await form.send(path, 'refresh');
    expect(toText(counted.text)).toContain('2 changes in 1 shop · free');
    const planned = await form.send(path);
    expect(planned.location).toContain('/dashboard/changes/');
    await seller.post(`${planned.location}/start`, { sum: '0.00', shops: '' });
    await openBatches(service).follow({ batch_id: planned.location.split('/').at(-1) ?? '' }, 'completed');
    const { shops } = await read(listing_pk);
    expect(shops).toMatchObject([
      { shop_id: CLAY.shop_id },
      {
        shop_id: LINEN.shop_id,
        overrides: {
          offerings: [
            { size: 'Small', price: 17 },
            { size: 'Large', price: 22 },
          ],
        },
      },
    ]);
  });
});
