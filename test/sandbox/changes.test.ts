import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ALL_SCOPES,
  buildPng,
  CLAY,
  CLAY_READINESS,
  CLAY_RETURNS,
  fileParts,
  imageParts,
  MUG,
  NORD,
  openRig,
  pluck,
} from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.control('POST', '/reset'));
afterAll(() => rig.sandbox.close());

const pathOf = (listing_id: number) => `/shops/${CLAY.shop_id}/listings/${listing_id}`;
const update = async (listing_id: number, form: Record<string, string>) => {
  const { status, body } = await rig.call('PATCH', pathOf(listing_id), { form });
  return { status, body };
};
const read = async (listing_id: number, includes = '') =>
  (await rig.call('GET', `/listings/${listing_id}?includes=${includes}`)).body;
const translate = (listing_id: number, method = 'POST', language = 'de') =>
  rig.call(method, `${pathOf(listing_id)}/translations/${language}`, {
    form: { title: 'Becher', description: 'Ein Becher', tags: 'becher,ton' },
  });
const upload = async (listing_id: number, rank: number) => {
  const parts = imageParts(buildPng(rank), { rank: String(rank), alt_text: `photo ${rank}` });
  return Number((await rig.call('POST', `${pathOf(listing_id)}/images`, { parts })).body.listing_image_id);
};
const createLive = async (form: Record<string, string> = {}) => {
  const listing_id = await rig.createMug({ return_policy_id: String(CLAY_RETURNS), ...form });
  await upload(listing_id, 1);
  expect((await update(listing_id, { state: 'active' })).status).toBe(200);
  return listing_id;
};

const batch = async (ids: readonly number[], headers: Record<string, string> = {}) => {
  const { body } = await rig.call('GET', `/listings/batch?listing_ids=${ids.join()}`, { headers });
  return pluck(body.results, 'state');
};
const listShop = async (query: string) =>
  (await rig.call('GET', `/shops/${CLAY.shop_id}/listings?${query}`)).body;

describe('a translation', () => {
  it('is created by one call, changed by another, and deleted when the title it translates changes', async () => {
    const listing_id = await createLive();
    expect((await translate(listing_id, 'PUT')).status).toBe(404);
    expect((await translate(listing_id)).status).toBe(200);
    expect((await translate(listing_id)).status).toBe(400);
    expect((await translate(listing_id, 'PUT')).status).toBe(200);
    expect((await translate(listing_id, 'POST', 'xx')).status).toBe(400);
    await update(listing_id, { title: 'Speckled Mug', description: 'Other words.' });
    expect((await read(listing_id, 'Translations')).translations).toMatchObject({
      de: { language: 'de', title: 'Becher', description: 'Ein Becher', tags: ['becher', 'ton'] },
      fr: null,
    });
    await update(listing_id, { title: 'Another Mug' });
    expect((await read(listing_id, 'Translations')).translations.de).toBeNull();
  });

  it('is deleted when the listing is deactivated, and stays deleted after the free reactivation', async () => {
    const listing_id = await createLive();
    await translate(listing_id);
    expect((await update(listing_id, { state: 'inactive' })).body.state).toBe('inactive');
    expect((await update(listing_id, { state: 'active' })).body.state).toBe('active');
    expect((await read(listing_id, 'Translations')).translations.de).toBeNull();
    const fees: { listing_id: number }[] = (await rig.control('GET', '/state')).body.fees;
    expect(fees.filter((fee) => fee.listing_id === listing_id)).toHaveLength(1);
  });
});

describe('a change of fields', () => {
  it('removes an optional field if its value is empty', async () => {
    const full = {
      shop_section_id: '40118201',
      return_policy_id: String(CLAY_RETURNS),
      item_weight: '1.5',
      item_weight_unit: 'kg',
      item_length: '2',
      item_width: '3',
      item_height: '4',
      item_dimensions_unit: 'cm',
    };
    const listing_id = await rig.createMug({ ...full, tags: 'mug', production_partner_ids: '4410221' });
    await update(listing_id, { featured_rank: '2' });
    const names = Object.keys(full);
    expect((await read(listing_id)).featured_rank).toBe(2);
    const cleared = Object.fromEntries(
      [...names, 'tags', 'production_partner_ids', 'featured_rank'].map((name) => [name, '']),
    );
    expect((await update(listing_id, cleared)).status).toBe(200);
    const after = await read(listing_id);
    expect(names.map((name) => [name, after[name]])).toEqual(names.map((name) => [name, null]));
    expect(after).toMatchObject({ tags: [], production_partners: [], featured_rank: -1 });
    expect((await update(listing_id, { shipping_profile_id: '' })).status).toBe(400);
  });

  it('makes a digital listing physical if its type is not sent again', async () => {
    const listing_id = await rig.createMug();
    const parts = fileParts('file', Buffer.from('%PDF'), 'a.pdf', { name: 'a.pdf' });
    await rig.call('POST', `${pathOf(listing_id)}/files`, { parts });
    expect((await update(listing_id, { type: 'download', tags: 'mug' })).body.listing_type).toBe('download');
    expect((await update(listing_id, { tags: 'mug' })).body.listing_type).toBe('physical');
  });
});

describe('photos', () => {
  it('are those of image_ids in order, with their alternative texts, except images of other listings', async () => {
    const listing_id = await rig.createMug();
    const [first, second, third] = [
      await upload(listing_id, 1),
      await upload(listing_id, 2),
      await upload(listing_id, 3),
    ];
    expect((await update(listing_id, { image_ids: `${third},${first}` })).status).toBe(200);
    const { images } = await read(listing_id, 'Images');
    expect(pluck(images, 'listing_image_id')).toEqual([third, first]);
    expect(pluck(images, 'rank')).toEqual([1, 2]);
    expect(pluck(images, 'alt_text')).toEqual(['photo 3', 'photo 1']);
    const refused = await update(listing_id, { image_ids: `${third},${second}` });
    expect(refused).toEqual({
      status: 400,
      body: { error: `The image ${second} does not belong to this listing.` },
    });
    const parts = new FormData();
    parts.set('listing_image_id', String(second));
    parts.set('rank', '2');
    parts.set('alt_text', 'back again');
    expect((await rig.call('POST', `${pathOf(listing_id)}/images`, { parts })).status).toBe(201);
    expect((await update(listing_id, { image_ids: `${first},${second},${third}` })).status).toBe(200);
    expect(pluck((await read(listing_id, 'Images')).images, 'alt_text')).toEqual([
      'photo 1',
      'back again',
      'photo 3',
    ]);
  });
});

describe('an inventory write', () => {
  it('changes the ids of products and offerings, keeps the shop’s value ids, and removes the photos of variations', async () => {
    const listing_id = await rig.createMug();
    const image_id = await upload(listing_id, 1);
    const products = ['Sand', 'Moss'].map((value) => ({
      sku: value,
      property_values: [{ property_id: 513, property_name: 'Glaze', value_ids: [], values: [value] }],
      offerings: [{ price: 9, quantity: 1, is_enabled: true, readiness_state_id: CLAY_READINESS }],
    }));
    const put = async () =>
      (
        await rig.call('PUT', `/listings/${listing_id}/inventory`, {
          json: { products, sku_on_property: [513] },
        })
      ).body.products;
    const before = await put();
    const value_id = before[0].property_values[0].value_ids[0];
    const path = `${pathOf(listing_id)}/variation-images`;
    const linked = await rig.call('POST', path, {
      json: { variation_images: [{ property_id: 513, value_id, image_id }] },
    });
    expect(linked.body.count).toBe(1);
    const after = await put();
    expect(after[0].product_id).not.toBe(before[0].product_id);
    expect(after[0].offerings[0].offering_id).not.toBe(before[0].offerings[0].offering_id);
    expect(after[0].property_values).toEqual(before[0].property_values);
    expect((await rig.call('GET', path)).body).toEqual({ count: 0, results: [] });
  });
});

describe('listings by id', () => {
  it('are the active ones, and all of them for their owner only if the sandbox is set up that way', async () => {
    const ids = [await createLive(), await createLive(), await rig.createMug()];
    await update(ids[1] ?? 0, { state: 'inactive' });
    expect(await batch([...ids, 1])).toEqual(['active']);
    await rig.control('POST', '/settings', { batch_shows_inactive: true });
    expect(await batch([...ids, 1])).toEqual(['active', 'inactive', 'draft']);
    expect(await batch(ids, { authorization: '' })).toEqual(['active']);
    const other = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES).access_token;
    expect(await batch(ids, { authorization: `Bearer ${other}` })).toEqual(['active']);
    const many = Array.from({ length: 101 }, (_, index) => index + 1);
    expect((await rig.call('GET', `/listings/batch?listing_ids=${many.join()}`)).status).toBe(400);
  });
});

describe('the last-modified time of a listing', () => {
  it('moves with every change', async () => {
    const listing_id = await createLive();
    const image_id = await upload(listing_id, 2);
    const own = pathOf(listing_id);
    const question = {
      question_text: 'Name',
      question_type: 'text_input',
      required: false,
      max_allowed_characters: 9,
    };
    const movie = fileParts('video', Buffer.from('\0\0\0\x10ftypisom'), 'a.mp4', { name: 'a.mp4' });
    const personalization = { json: { personalization_questions: [question] } };
    const attribute = { value_ids: '5203', values: '12', scale_id: '331' };
    const calls: (() => Promise<{ status: number }>)[] = [
      () => update(listing_id, { tags: 'mug' }),
      () => rig.call('PUT', `${own}/properties/185`, { form: attribute }),
      () => rig.call('DELETE', `${own}/properties/185`),
      () => rig.call('POST', `${own}/personalization`, personalization),
      () => rig.call('DELETE', `${own}/personalization`),
      () => translate(listing_id),
      () => rig.call('POST', `${own}/videos`, { parts: movie }),
      () => rig.call('DELETE', `${own}/images/${image_id}`),
      () => rig.call('POST', `${own}/variation-images`, { json: { variation_images: [] } }),
    ];
    const getChangedAt = async (): Promise<number> => {
      const listings: { listing_id: number; updated_at: number }[] = (await rig.control('GET', '/state')).body
        .listings;
      return listings.find((listing) => listing.listing_id === listing_id)?.updated_at ?? 0;
    };
    for (const call of calls) {
      const before = await getChangedAt();
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect((await call()).status).toBeLessThan(300);
      expect(await getChangedAt()).toBeGreaterThan(before);
    }
  });
});

it('a shop’s listings are returned by state and page, with the requested includes', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 3; index += 1) ids.push(await rig.createMug({ ...MUG, title: `Mug ${index}` }));
  await upload(ids[0] ?? 0, 1);
  const page = await listShop('state=draft&limit=2&offset=1&includes=Images');
  expect(page.count).toBe(3);
  expect(pluck(page.results, 'listing_id')).toEqual([ids[1], ids[0]]);
  expect(page.results.map(({ images }: { images: object[] }) => images.length)).toEqual([0, 1]);
  for (const state of ['inactive', 'sold_out', 'expired']) {
    await rig.control('POST', `/listings/${ids[0]}/state`, { state });
    expect(pluck((await listShop(`state=${state}`)).results, 'listing_id')).toEqual([ids[0]]);
  }
});
