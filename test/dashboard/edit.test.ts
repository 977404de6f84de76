import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBatches } from '../core/batches/rig.js';
import { edit, makeListing, type Made } from '../core/listings/update/rig.js';
import { buildMug, listTargets } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* One listing is edited in a form, from the values that the form was made with. */

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

/** The fields of the form as a browser would send them, with these edited. */
async function fill({ listing_pk }: Pick<Made, 'listing_pk'>, edited: Record<string, string>) {
  const path = `/dashboard/listings/${listing_pk}/edit`;
  const { text } = await seller.get(path);
  const was = [...text.matchAll(/name="was_(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const fields = Object.fromEntries(
    was.flatMap(([name = '', value = '']) => [
      [`was_${name}`, value],
      [name, value],
    ]),
  );
  return { path, fields: { ...fields, ...edited } };
}

it('plans only the edited fields, and shows the form again if a value is refused', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, listing: { price: 20, tags: ['mug'] } });
  const [first] = made.shops;
  expect(toText((await seller.get(`/dashboard/listings/${made.listing_pk}`)).text)).toContain(
    'Edit title, description, tags, price and stock',
  );
  const { path, fields } = await fill(made, { tags: 'mug, gift', [`price_${first?.shop_id}`]: '21,50' });
  const planned = await seller.post(path, fields);
  expect(planned.status).toBe(303);
  const page = toText((await seller.get(planned.location)).text);
  expect(page).toContain('Tags Added: gift');
  expect(page).toMatch(/from 20\.00 USD → 21\.50 USD/);
  expect(page).not.toContain('Title');
  const batch_id = planned.location.split('/').at(-1) ?? '';
  await seller.post(`${planned.location}/start`, { sum: '0.00', shops: '' });
  await openBatches(dashboard.service).follow({ batch_id }, 'completed');

  const long = await fill(made, { title: 'x'.repeat(300) });
  const refused = await seller.post(long.path, long.fields);
  expect(refused.status).toBe(400);
  expect(toText(refused.text)).toMatch(/ClayAndOak: Title: .*300 characters/);
  expect(refused.text).toContain('x'.repeat(300));
  expect(toText((await seller.post(long.path, (await fill(made, {})).fields)).text)).toContain(
    'You have not edited anything yet.',
  );
});

it('shows both values when the listing was changed after the form was opened', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, listing: { title: 'Stoneware cup' } });
  const stale = await fill(made, { title: 'Cup of mine' });
  await dashboard.service.call('listing_update', {
    listing_pk: made.listing_pk,
    changes: { listing: { title: 'Cup of another' } },
  });
  const { status, text } = await seller.post(stale.path, stale.fields);
  expect(status).toBe(400);
  expect(toText(text)).toContain('The listing has changed since you opened this page.');
  expect(toText(text)).toContain('Now: Cup of another');
  expect(text).toContain('value="Cup of mine"');
});

it('opens the review if a field was edited on Etsy', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, listing: { title: 'Stoneware jug' } });
  await edit(dashboard.service, made, { title: 'Edited by hand' });
  const { path, fields } = await fill(made, { title: 'Jug of mine' });
  const planned = await seller.post(path, fields);
  expect(toText((await seller.get(planned.location)).text)).toContain('Replace the edits made on Etsy');
});

it('saves a draft at once', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, state: 'draft' });
  const { path, fields } = await fill(made, { title: 'Edited draft' });
  const saved = await seller.post(path, fields);
  expect([saved.status, saved.location]).toEqual([303, `/dashboard/listings/${made.listing_pk}`]);
  expect(toText((await seller.get(saved.location)).text)).toContain('Edited draft');
});

it('refuses a number that could be misread, and keeps what was typed', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, state: 'draft' });
  const { path, fields } = await fill(made, { quantity: '1,000', description: '\nA mug' });
  const { status, text } = await seller.post(path, fields);
  expect(status).toBe(400);
  expect(toText(text)).toContain('Stock: Enter a whole number without thousands separators');
  expect(text).toContain('value="1,000"');
  // Browsers drop the first line break.
  expect(text).toMatch(/<textarea[^>]*>\n\nA mug/);
});

it('keeps what was typed for a listing that is in no shop, and asks for no prices there', async () => {
  const { service } = dashboard;
  const action = { type: 'status', status: 400, body: { error: 'No.' } };
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', times: 20, action }],
  });
  const mug = buildMug(await listTargets(service), { state: 'publish' });
  const { listing_pk } = await service.call<{ listing_pk: number }>('listing_create', mug);
  await service.control('DELETE', '/faults');
  const { path, fields } = await fill({ listing_pk }, { title: 'Title of mine' });
  expect(Object.keys(fields).filter((name) => name.includes('price'))).toEqual([]);
  const { status, text } = await seller.post(path, fields);
  expect(status).toBe(400);
  expect(text).toContain('value="Title of mine"');
});
