import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBatches } from '../core/batches/rig.js';
import { edit, makeListing, type Made } from '../core/listings/update/rig.js';
import { buildMug, CLAY, LINEN, listTargets, MUGS } from '../service.js';
import { readForm } from './form.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

/* A saved listing is edited in the form for new ones, from the values the form was rendered with. */

type Request = {
  shops: { shop_id: number; price?: number; shipping_profile_id: number; overrides?: object }[];
  listing: Record<string, unknown>;
  images: { url: string; alt_text?: string }[];
  category_attributes?: object;
  variations?: {
    properties: { values: string[] }[];
    offerings: Record<string, unknown>[];
    variation_images?: object;
  };
};

let dashboard: TestDashboard;
let seller: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  seller = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const toPath = ({ listing_pk }: Pick<Made, 'listing_pk'>) => `/dashboard/listings/${listing_pk}/edit`;
const open = async (made: Pick<Made, 'listing_pk'>) => readForm(seller, await seller.get(toPath(made)));
const readSaved = async ({ listing_pk }: Pick<Made, 'listing_pk'>) =>
  (await dashboard.service.call<{ request: Request }>('listing_get', { listing_pk })).request;

/** Runs the plan that a form created. */
async function start(location: string): Promise<void> {
  await seller.post(`${location}/start`, { sum: '0.00', shops: '' });
  await openBatches(dashboard.service).follow({ batch_id: location.split('/').at(-1) ?? '' }, 'completed');
}

const SIZES = {
  properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }],
  offerings: [
    { size: 'Small', price: 18, quantity: 3, sku: 'S' },
    { size: 'Large', price: 24, quantity: 2, sku: 'L' },
  ],
};

async function makeDraft(more: Record<string, unknown> = {}): Promise<{ listing_pk: number }> {
  return dashboard.service.call('listing_create', buildMug(await listTargets(dashboard.service), more));
}

it('the form names no number of shops for a listing that is in none yet', async () => {
  const body = { error: 'No.' };
  const rules = [
    { operation: 'createDraftListing', times: 20, action: { type: 'status', status: 400, body } },
  ];
  await dashboard.service.control('POST', '/faults', { rules });
  const made = await makeDraft({ state: 'publish' });
  await dashboard.service.control('DELETE', '/faults');
  const answer = await (await open(made)).set('title', 'In no shop').send(toPath(made), 'refresh');
  const words = toText(answer.text);
  expect(words).toContain('1 change Review');
  expect(words).not.toContain('0 shops');
});

it('the form plans only the edited fields, and is shown again if a value is refused', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, listing: { price: 20, tags: ['mug'] } });
  const form = (await open(made)).set('tags', 'mug, gift').set('price_USD', '21,50');
  const counted = toText((await form.send(toPath(made), 'refresh')).text);
  expect(counted.slice(-400)).toContain('2 changes in 2 shops · free');
  const planned = await form.send(toPath(made));
  expect(planned.status).toBe(303);
  const page = toText((await seller.get(planned.location)).text);
  expect(page).toContain('Tags Added: gift');
  expect(page).toMatch(/from 20\.00 USD → 21\.50 USD/);
  expect(page).not.toContain('Title');
  await start(planned.location);

  const refused = await (await open(made)).set('title', 'x'.repeat(300)).send(toPath(made));
  expect(refused.status).toBe(400);
  expect(refused.text).toMatch(/<p class="problem" id="title-problem">/);
  expect(refused.text).toContain('x'.repeat(300));
  expect(toText((await (await open(made)).send(toPath(made))).text)).toContain(
    'You have not edited anything yet.',
  );
});

const change = (made: Made, listing: object) =>
  dashboard.service.call('listing_update', { listing_pk: made.listing_pk, changes: { listing } });

describe('a form that is older than the listing', () => {
  it('shows both values of a field changed on both sides, and overwrites nothing', async () => {
    const made = await makeListing(dashboard.service, { photos: 1, listing: { title: 'Stoneware cup' } });
    const stale = (await open(made)).set('title', 'Cup of mine');
    await change(made, { title: 'Cup of another' });
    const { status, text } = await stale.send(toPath(made));
    expect(status).toBe(400);
    expect(toText(text)).toContain('Review Discard changes');
    expect(toText(text)).toContain(
      'This listing was changed in another window or by your assistant. Compare both values',
    );
    expect(toText(text)).toContain('Title Cup of another');
    expect(text).toContain('value="Cup of mine"');
    const shown = readForm(seller, { text });
    const taken = await shown.send(toPath(made), 'take title');
    expect(readForm(seller, taken).getAll('title')).toEqual(['Cup of another']);
    expect((await shown.send(toPath(made))).location).toContain('/dashboard/changes/');
  });

  it('keeps fields changed only on the other side', async () => {
    const made = await makeListing(dashboard.service, { photos: 1, listing: { title: 'Stoneware bowl' } });
    const stale = (await open(made)).set('tags', 'bowl of mine');
    await change(made, { title: 'Bowl of another' });
    const planned = await stale.send(toPath(made));
    const page = toText((await seller.get(planned.location)).text);
    expect(page).toContain('bowl of mine');
    expect(page).not.toContain('Stoneware bowl');
  });
});

it('opens the review if a field was edited on Etsy', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, listing: { title: 'Stoneware jug' } });
  await edit(dashboard.service, made, { title: 'Edited by hand' });
  const planned = await (await open(made)).set('title', 'Jug of mine').send(toPath(made));
  expect(toText((await seller.get(planned.location)).text)).toContain('Replace the edits made on Etsy');
});

describe('a draft in the editor', () => {
  it('is saved immediately, with its photos in another order', async () => {
    const made = await makeListing(dashboard.service, { photos: 3, state: 'draft' });
    const [first, second, third] = (await readSaved(made)).images.map(({ url }) => url);
    let form = (await open(made)).set('title', 'Edited draft').setNth('photo_alt', 2, 'The last one');
    form = readForm(seller, await form.send(toPath(made), `photo-main ${third}`));
    form = readForm(seller, await form.send(toPath(made), `photo-remove ${first}`));
    const saved = await form.send(toPath(made));
    expect([saved.status, saved.location]).toEqual([303, `/dashboard/listings/${made.listing_pk}`]);
    const request = await readSaved(made);
    expect(request.listing['title']).toBe('Edited draft');
    expect(request.images.map(({ url, alt_text }) => [url, alt_text])).toEqual([
      [third, 'The last one'],
      [second, 'Photo 2'],
    ]);
  });

  it('is saved during pauses, says so, and waits while a value is invalid', async () => {
    const made = await makeDraft();
    const page = await seller.get(toPath(made));
    expect(toText(page.text)).toContain('No changes Review Save Close');
    const form = readForm(seller, page).set('title', 'Saved in a pause').set('price_USD', '19,50');
    const answer = await form.send(toPath(made), 'autosave');
    expect(toText(answer.text)).toContain('All changes are saved.');
    expect((await readSaved(made)).listing['title']).toBe('Saved in a pause');
    expect((await readForm(seller, answer).send(toPath(made))).status).toBe(303);
    const next = readForm(seller, answer).set('title', '');
    const waiting = await next.send(toPath(made), 'autosave');
    expect(toText(waiting.text)).toContain('Not saved yet. Add a title. Review');
    expect(waiting.text).not.toContain('class="problem"');
    expect((await readSaved(made)).listing['title']).toBe('Saved in a pause');

    const other = (await open(made)).set('title', 'Of another tab').set('tags', 'other');
    await other.send(toPath(made), 'autosave');
    const conflict = await readForm(seller, answer)
      .set('title', 'Of this tab')
      .send(toPath(made), 'autosave');
    expect(toText(conflict.text)).toContain('Title Of another tab');
    expect(conflict.text).toContain('value="Of this tab"');
    expect(conflict.text).toMatch(/id="tags"[^>]*value="other"|value="other"[^>]*id="tags"/);
    expect((await readSaved(made)).listing['title']).toBe('Of another tab');
    // Only the seller's own save replaces it.
    const again = readForm(seller, await readForm(seller, conflict).send(toPath(made), 'refresh'));
    await again.send(toPath(made), 'autosave');
    expect((await readSaved(made)).listing['title']).toBe('Of another tab');
    expect((await again.send(toPath(made))).status).toBe(303);
    expect((await readSaved(made)).listing['title']).toBe('Of this tab');
  });

  it('keeps fields that are not in the form, and gets those that are', async () => {
    const made = await makeDraft({
      variations: SIZES,
      personalization: { enabled: true, instructions: 'Initials', max_chars: 3 },
      category_attributes: { '358': { value_ids: [2140], values: ['Yes'] } },
    });
    const before = await readSaved(made);
    const form = (await open(made))
      .set('attribute_358', '2141')
      .tick('attribute_357', '2100')
      .setNth('row_price_EUR', 0, '16')
      .setNth('row_stock', 1, '9')
      .set(`shipping_${LINEN.shop_id}`, '223915881');
    const saved = await form.send(toPath(made));
    expect(saved.location).toBe(`/dashboard/listings/${made.listing_pk}`);
    const after = await readSaved(made);
    expect(after).toEqual({
      ...before,
      category_attributes: { '357': { value_ids: [2100] }, '358': { value_ids: [2141] } },
      shops: before.shops.map((shop) =>
        shop.shop_id === LINEN.shop_id
          ? {
              ...shop,
              shipping_profile_id: 223915881,
              overrides: { offerings: [{ size: 'Small', price: 16 }] },
            }
          : shop,
      ),
      variations: {
        ...before.variations,
        offerings: [SIZES.offerings[0], { ...SIZES.offerings[1], quantity: 9 }],
      },
    });
  });

  it('gets another option, and photos of its values', async () => {
    const made = await makeDraft({ variations: SIZES });
    let form = (await open(made)).setNth('option_values', 0, 'Small\nLarge\nGiant');
    form = readForm(seller, await form.send(toPath(made), 'table'));
    form = form.setNth('row_price_USD', 2, '30').setNth('row_price_EUR', 2, '28').set('pictured', '0');
    form = await form.setNth('row_stock', 2, '1').choose('mug-front.jpg');
    form = readForm(seller, await form.send(toPath(made), 'photos'));
    const [photo = ''] = form.getAll('photo');
    const saved = await form.setNth('picture', 2, photo).send(toPath(made));
    expect(saved.status).toBe(303);
    const { variations, shops } = await readSaved(made);
    expect(variations?.properties[0]?.values).toEqual(['Small', 'Large', 'Giant']);
    expect(variations?.offerings.map(({ price }) => price)).toEqual([18, 24, 30]);
    expect(variations?.variation_images).toEqual({ property: 'Size', mapping: { Giant: 0 } });
    expect(shops.find(({ shop_id }) => shop_id === LINEN.shop_id)?.overrides).toEqual({
      offerings: [{ size: 'Giant', price: 28 }],
    });
  });

  it('is saved, reviewed with its fee, and published for it', async () => {
    const made = await makeDraft({ idempotency_key: 'reviewed' });
    const lacking = await (
      await open(made)
    )
      .set('title', 'Saved and published')
      .set('do', 'publish')
      .send(toPath(made));
    expect(lacking.status).toBe(400);
    expect(lacking.text).toContain('<p class="problem" id="photos-part-problem">');
    expect((await readSaved(made)).listing['title']).toBe('Saved and published');

    const form = await readForm(seller, lacking).choose('mug-front.jpg');
    const review = await form.set('do', 'publish').send(toPath(made));
    expect(review.status).toBe(200);
    expect(toText(review.text)).toContain('Publish in 2 shops for $0.40');
    const [, sum = ''] = /name="sum" value="([^"]*)"/.exec(review.text) ?? [];
    const [, shops = ''] = /name="shops" value="([^"]*)"/.exec(review.text) ?? [];
    const href = `/dashboard/listings/${made.listing_pk}`;
    const published = await seller.post(`${href}/put-live`, { sum, shops });
    expect([published.status, published.location]).toEqual([303, href]);
  });
});

it('the form changes prices of variations only in shops of one currency, and photos in all shops', async () => {
  const targets = await listTargets(dashboard.service);
  const { listing_pk } = await dashboard.service.call<{ listing_pk: number }>(
    'listing_create',
    buildMug(targets, { state: 'publish', variations: SIZES }),
  );
  const made = { listing_pk };
  const form = await (await open(made)).setNth('row_price_EUR', 1, '22').choose('mug-side.jpg');
  const planned = await form.send(toPath(made));
  expect(planned.location).toContain('/dashboard/changes/');
  const page = toText((await seller.get(planned.location)).text);
  expect(page).toMatch(/24\.00 EUR → 22\.00 EUR/);
  expect(page).not.toMatch(/22\.00 USD/);
  await start(planned.location);
  const { shops, images } = await readSaved(made);
  expect(images.length).toBe(1);
  expect(shops.find(({ shop_id }) => shop_id === CLAY.shop_id)?.overrides).toBeUndefined();
  expect(shops.find(({ shop_id }) => shop_id === LINEN.shop_id)?.overrides).toEqual({
    offerings: [{ size: 'Large', price: 22 }],
  });
});

it('the form says that a price has no effect on Etsy if every variation has its own, and saves it in a draft', async () => {
  const made = await makeDraft({ state: 'publish', variations: SIZES });
  const field = `price_in_${CLAY.shop_id}`;
  const form = (await open(made)).set(field, '26');
  const refused = await form.send(toPath(made));
  expect(refused.status).toBe(400);
  expect(toText(refused.text)).toContain('Every variation has its own price.');
  expect(refused.text).toContain(`href="#${field}"`);

  const draft = await makeDraft({ variations: SIZES });
  const paused = await (await open(draft)).set(field, '26').send(toPath(draft), 'autosave');
  expect(toText(paused.text)).toContain('All changes are saved.');
  expect((await open(draft)).getAll('price_USD')).toEqual(['26']);
});

it('the form refuses a number that could be misread, and keeps the input', async () => {
  const made = await makeListing(dashboard.service, { photos: 1, state: 'draft' });
  const form = (await open(made)).set('quantity', '1,000').set('description', '\nA mug');
  const { status, text } = await form.send(toPath(made));
  expect(status).toBe(400);
  expect(toText(text)).toContain('Stock: Enter a whole number without thousands separators');
  expect(text).toMatch(/id="quantity" aria-invalid="true"/);
  expect(text).toContain('value="1,000"');
  // Browsers drop the first line break.
  expect(text).toMatch(/<textarea[^>]*>\n\nA mug/);
});

it('the form finds another category, and asks for its details', async () => {
  const made = await makeDraft({ category_attributes: { '358': { value_ids: [2140] } } });
  expect((await readSaved(made)).listing['taxonomy_id']).toBe(MUGS);
  const found = await (await open(made)).set('category_words', 'napkins').send(toPath(made), 'category-find');
  expect(toText(found.text)).toContain('Napkins');
  const saved = await readForm(seller, found).send(toPath(made));
  expect(saved.status).toBe(303);
  const request = await readSaved(made);
  expect(request.listing['taxonomy_id']).not.toBe(MUGS);
  expect(request.category_attributes ?? {}).toEqual({});
});

it('the form keeps the input for a listing that is in no shop', async () => {
  const { service } = dashboard;
  const action = { type: 'status', status: 400, body: { error: 'No.' } };
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', times: 20, action }],
  });
  const mug = buildMug(await listTargets(service), { state: 'publish' });
  const made = await service.call<{ listing_pk: number }>('listing_create', mug);
  await service.control('DELETE', '/faults');
  const { status, text } = await (await open(made)).set('title', 'Title of mine').send(toPath(made));
  expect(status).toBe(400);
  expect(text).toContain('value="Title of mine"');
});
