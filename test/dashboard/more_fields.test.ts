import { afterAll, beforeAll, expect, it } from 'vitest';
import { MORE_FIELDS, PERSONALIZATION_FIELDS } from '../../src/dashboard/pages/listing/editor/more/fields.js';
import { CLAY, MUGS } from '../service.js';
import { readForm, type Form } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* Fields of the form that come from the table of listing fields, personalization, and digital listings. */

const PATH = '/dashboard/listings/new';

type Saved = { request: { listing: object; personalization?: object; digital_files?: { url: string }[] } };

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const read = async (location: string) =>
  (await dashboard.service.call<Saved>('listing_get', { listing_pk: Number(location.split('/').at(-1)) }))
    .request;

async function fill(title: string): Promise<Form> {
  return readForm(seller, await seller.get(PATH))
    .set('title', title)
    .set('description', 'Thrown on the wheel.')
    .set('category_id', String(MUGS))
    .tick('shop', String(CLAY.shop_id))
    .set(`shipping_${CLAY.shop_id}`, '211740301')
    .set(`returns_${CLAY.shop_id}`, '1142500101')
    .set('price_USD', '24.50')
    .set('quantity', '4');
}

const readOpen = ({ text }: { text: string }) =>
  [...text.matchAll(/<details id="((?:more-|own-)[\w-]+)" open/g)].map(([, id]) => id);

it('sections that are rarely changed are closed, unless they have a value or a problem', async () => {
  const form = await fill('Mug with closed sections');
  const closed = await form.send(PATH, 'refresh');
  expect(closed.text).toContain('<details id="more-personalization"><summary>Personalization</summary>');
  expect(closed.text).toContain(`<details id="more-shop-${CLAY.shop_id}"><summary>Shop section`);
  expect(readOpen(closed)).toEqual([]);
  form.set('item_length', 'long').set(`partners_${CLAY.shop_id}`, '5550001').set('personalization_text', 'x');
  const used = await form.send(`${PATH}/save`);
  expect(readOpen(used)).toEqual([`more-shop-${CLAY.shop_id}`, 'more-personalization', 'more-size']);
});

it('the form saves, changes and removes optional fields and personalization', async () => {
  const form = (await fill('Mug with details'))
    .set('styles', 'Rustic, Modern')
    .set('item_weight', '0,4')
    .set('item_weight_unit', 'kg')
    .set('should_auto_renew', 'no')
    .set('personalization', 'required')
    .set('personalization_text', 'Initials "here" & there')
    .set('personalization_max', '3');
  const { location } = await form.send(`${PATH}/save`);
  expect(await read(location)).toMatchObject({
    listing: {
      styles: ['Rustic', 'Modern'],
      item_weight: 0.4,
      item_weight_unit: 'kg',
      should_auto_renew: false,
    },
    personalization: {
      enabled: true,
      is_required: true,
      instructions: 'Initials "here" & there',
      max_chars: 3,
    },
  });

  const page = await seller.get(`${location}/edit`);
  const edited = readForm(seller, page)
    .set('item_weight', '')
    .set('item_weight_unit', '')
    .set('should_auto_renew', 'yes')
    .set('personalization', 'optional');
  expect((await edited.send(`${location}/edit`)).location).toBe(location);
  const changed = await read(location);
  expect(changed.listing).toMatchObject({ styles: ['Rustic', 'Modern'], should_auto_renew: true });
  expect(changed.listing).not.toHaveProperty('item_weight');
  expect(changed.personalization).toEqual({
    enabled: true,
    instructions: 'Initials "here" & there',
    max_chars: 3,
  });
  const off = readForm(seller, await seller.get(`${location}/edit`)).set('personalization', '');
  await off.send(`${location}/edit`);
  expect((await read(location)).personalization).toBeUndefined();
});

it('the form refuses instructions that would not be saved because personalization is off', async () => {
  const text = 'Write your initials';
  const form = (await fill('Mug without initials')).set('personalization_text', text);
  const refused = await form.send(`${PATH}/save`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('<p class="problem" id="personalization_text-problem">');
  expect(toText(refused.text)).toContain('Personalization is off, so this would not be saved.');
  const { location } = await readForm(seller, refused)
    .set('personalization', 'optional')
    .send(`${PATH}/save`);

  const off = readForm(seller, await seller.get(`${location}/edit`)).set('personalization', '');
  const retyped = await off.set('personalization_text', `${text} here`).send(`${location}/edit`);
  expect(retyped.status).toBe(400);
  expect((await read(location)).personalization).toMatchObject({ enabled: true, instructions: text });
});

it('a form from an earlier version leaves fields it lacks as saved', async () => {
  const form = (await fill('Mug in an old tab'))
    .set('styles', 'Rustic')
    .set('personalization', 'optional')
    .set('personalization_text', 'Initials');
  const { location } = await form.send(`${PATH}/save`);
  const before = await read(location);
  const open = async () => readForm(seller, await seller.get(`${location}/edit`)).set('title', 'Typed in it');
  const withoutPart = await open();
  const [base = ''] = withoutPart.getAll('base');
  withoutPart.set('base', base.replace(/ more:\S+/, ''));
  for (const name of [...MORE_FIELDS, 'personalization', ...PERSONALIZATION_FIELDS])
    withoutPart.leaveOut(name);
  expect((await withoutPart.send(`${location}/edit`)).location).toBe(location);
  expect(await read(location)).toEqual({
    ...before,
    listing: { ...before.listing, title: 'Typed in it' },
  });

  const withoutField = (await open()).leaveOut('styles').set('title', 'Typed again');
  expect((await withoutField.send(`${location}/edit`)).location).toBe(location);
  expect((await read(location)).listing).toEqual({ ...before.listing, title: 'Typed again' });
});

it('the form shows problems of optional fields next to them', async () => {
  const form = (await fill('Mug with wrong details'))
    .set('item_weight', '1,000')
    .set('personalization', 'optional')
    .set('personalization_max', '0');
  const { status, text } = await form.send(`${PATH}/review`);
  expect(status).toBe(400);
  for (const field of ['item_weight', 'personalization_max'])
    expect(text).toMatch(new RegExp(`<p class="problem" id="${field}-problem">`));
});

it('keeps every character of a text through the form', async () => {
  const sku = `>"'<i>&amp;\u202e>`;
  const materials = 'clay <script>alert(1)</script> > "glaze"';
  const { text } = await (
    await fill('Mug > cup')
  )
    .set('sku', sku)
    .set('materials', materials)
    .set('description', `</textarea><script>alert(1)</script> ${sku}`)
    .send(PATH, 'refresh');
  expect(text).not.toContain('<script>alert');
  const form = readForm(seller, { text });
  const read = ['title', 'sku', 'materials', 'quantity'].map((name) => form.getAll(name));
  expect(read).toEqual([['Mug > cup'], [sku], [materials], ['4']]);
});

it('the form makes a digital listing with its files, and asks for no shipping', async () => {
  let form = (await fill('Mug pattern')).set('listing_type', 'digital');
  const shown = await form.send(PATH, 'type');
  expect(shown.text).not.toContain(`name="shipping_${CLAY.shop_id}"`);
  expect(toText(shown.text)).toContain('Files that buyers download');
  const lacking = await readForm(seller, shown).send(`${PATH}/review`);
  expect(lacking.text).toContain('<p class="problem" id="files-part-problem">');
  form = await readForm(seller, shown).choose('pattern.pdf', '<i>pattern</i>.pdf', 'digital_file');
  const added = await form.send(PATH, 'files');
  expect(added.text).not.toContain('<i>pattern');
  form = await readForm(seller, added).choose('mug-front.jpg');
  const review = await readForm(seller, await form.send(PATH, 'photos')).send(`${PATH}/review`);
  expect(toText(review.text)).toContain('for $0.20');
  const published = await readForm(seller, review).set('state', 'active').send(`${PATH}/publish`);
  expect(published.status).toBe(303);
  const { digital_files = [], listing } = await read(published.location);
  expect(listing).toMatchObject({ listing_type: 'digital' });
  expect(digital_files).toHaveLength(1);
  const { listings } = await dashboard.service.control<{
    listings: { fields: { title: string }; state: string }[];
  }>('GET', '/state');
  expect(listings.find(({ fields }) => fields.title === 'Mug pattern')?.state).toBe('active');
});
