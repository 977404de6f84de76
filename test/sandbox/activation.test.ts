import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
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
  ALL_SCOPES,
} from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const pathOf = (listing_id: number) => `/shops/${CLAY.shop_id}/listings/${listing_id}`;
const update = async (listing_id: number, form: Record<string, string>) => {
  const { status, body } = await rig.call('PATCH', pathOf(listing_id), { form });
  return { status, body };
};
const feesOf = async (listing_id: number) => {
  const { body } = await rig.control('GET', '/state');
  const fees: { listing_id: number; kind: string; amount: number; currency_code: string }[] = body.fees;
  return fees
    .filter((fee) => fee.listing_id === listing_id)
    .map(({ kind, amount, currency_code }) => ({ kind, amount, currency_code }));
};
const createReady = async () => {
  const listing_id = await rig.createMug({ return_policy_id: String(CLAY_RETURNS) });
  await rig.call('POST', `${pathOf(listing_id)}/images`, { parts: imageParts(buildPng(1)) });
  return listing_id;
};

describe('updateListing', () => {
  it('silently ignores price, quantity and styles, and changes the rest', async () => {
    const listing_id = await rig.createMug();
    const { status, body } = await update(listing_id, {
      title: 'Other Mug',
      price: '99',
      quantity: '50',
      styles: 'Modern',
      shop_section_id: '40118201',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Other Mug',
      price: { amount: 3450 },
      quantity: 5,
      style: [],
      shop_section_id: 40_118_201,
      state: 'draft',
    });
  });

  it('knows only active and inactive, and no way from draft to inactive', async () => {
    const listing_id = await rig.createMug();
    expect((await update(listing_id, { state: 'draft' })).status).toBe(400);
    expect((await update(listing_id, { state: 'inactive' })).status).toBe(400);
  });
});

describe('an activation', () => {
  it('costs one fee, and nothing more for deactivating and reactivating', async () => {
    const listing_id = await createReady();
    const { status, body } = await update(listing_id, { state: 'active' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'active', readiness_state_id: CLAY_READINESS });
    expect(body.ending_timestamp - body.state_timestamp).toBe(120 * 24 * 3600);
    const fee = { kind: 'listing', amount: 20, currency_code: 'USD' };
    expect(await feesOf(listing_id)).toEqual([fee]);
    await update(listing_id, { state: 'active' });
    await update(listing_id, { state: 'inactive' });
    expect((await update(listing_id, { state: 'active' })).body.state).toBe('active');
    expect(await feesOf(listing_id)).toEqual([fee]);
    const found = await rig.call('GET', '/listings/active?keywords=speckled%20mug');
    expect(pluck(found.body.results, 'listing_id')).toContain(listing_id);
    const page = await fetch(body.url);
    expect(await page.text()).toContain('Speckled Mug');
  });

  it('renews a sold-out or expired listing for a fee, and stocks one piece', async () => {
    const listing_id = await createReady();
    await update(listing_id, { state: 'active' });
    for (const state of ['sold_out', 'expired']) {
      await rig.control('POST', `/listings/${listing_id}/state`, { state });
      expect((await update(listing_id, { state: 'active' })).body).toMatchObject({
        state: 'active',
        quantity: 1,
      });
    }
    expect((await feesOf(listing_id)).map((fee) => fee.kind)).toEqual(['listing', 'renewal', 'renewal']);
    await rig.control('POST', `/listings/${listing_id}/state`, { state: 'removed' });
    expect((await update(listing_id, { state: 'active' })).status).toBe(400);
  });

  it('requires an image, answered as an array', async () => {
    const listing_id = await rig.createMug({ return_policy_id: String(CLAY_RETURNS) });
    expect(await update(listing_id, { state: 'active' })).toEqual({
      status: 400,
      body: [{ path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' }],
    });
    expect(await feesOf(listing_id)).toEqual([]);
  });

  it('requires a return policy only for shops outside the EU', async () => {
    const listing_id = await rig.createMug();
    await rig.call('POST', `${pathOf(listing_id)}/images`, { parts: imageParts(buildPng(1)) });
    expect((await update(listing_id, { state: 'active' })).status).toBe(400);

    const token = rig.sandbox.issueGrant(NORD.user_id, ALL_SCOPES).access_token;
    const headers = { authorization: `Bearer ${token}` };
    const draft = await rig.call('POST', `/shops/${NORD.shop_id}/listings`, {
      headers,
      form: { ...MUG, shipping_profile_id: '223915881', readiness_state_id: '1391700000401' },
    });
    const path = `/shops/${NORD.shop_id}/listings/${draft.body.listing_id}`;
    await rig.call('POST', `${path}/images`, { headers, parts: imageParts(buildPng(2)) });
    const active = await rig.call('PATCH', path, { headers, form: { state: 'active' } });
    expect(active.body).toMatchObject({ state: 'active', price: { currency_code: 'EUR' } });
  });

  it("refuses a frozen listing with the marketplace's message", async () => {
    const listing_id = await createReady();
    await rig.control('POST', `/listings/${listing_id}/freeze`);
    expect(await update(listing_id, { state: 'active' })).toEqual({
      status: 400,
      body: { error: "This listing is not publishable because it's frozen" },
    });
  });

  it("requires the category's required attribute", async () => {
    const listing_id = await createReady();
    await update(listing_id, { taxonomy_id: '1238' });
    expect((await update(listing_id, { state: 'active' })).status).toBe(400);
    const attribute = { value_ids: '2900', values: 'Brass' };
    await rig.call('PUT', `${pathOf(listing_id)}/properties/366`, { form: attribute });
    expect((await update(listing_id, { state: 'active' })).status).toBe(200);
  });
});

const upload = (listing_id: number, name: string, fields: Record<string, string> = {}) =>
  rig.call('POST', `${pathOf(listing_id)}/files`, {
    parts: fileParts('file', Buffer.from('%PDF-1.7 pattern'), 'x.pdf', { name, ...fields }),
  });
const createDigital = async (when_made: string): Promise<number> => {
  const { body } = await rig.call('POST', `/shops/${CLAY.shop_id}/listings`, {
    form: {
      ...MUG,
      type: 'download',
      readiness_state_id: '',
      shipping_profile_id: '',
      taxonomy_id: '78',
      when_made,
    },
  });
  await rig.call('POST', `${pathOf(body.listing_id)}/images`, { parts: imageParts(buildPng(1)) });
  return body.listing_id;
};

describe('digital listings', () => {
  it('need a file to be active unless they are made to order', async () => {
    const listing_id = await createDigital('2020_2026');
    expect(await update(listing_id, { state: 'active', type: 'download' })).toEqual({
      status: 400,
      body: { error: 'There was a problem with /file/attachments : You must attach at least one file.' },
    });
    expect((await upload(listing_id, 'pattern.pdf')).status).toBe(201);
    const activation = { state: 'active', type: 'download' };
    expect((await update(listing_id, activation)).body.state).toBe('active');
    expect((await update(await createDigital('made_to_order'), activation)).status).toBe(200);
  });

  it('are created by attaching a file, which removes shipping and variations', async () => {
    const listing_id = await rig.createMug();
    await rig.call('PUT', `/listings/${listing_id}/inventory`, {
      json: {
        products: ['Sand', 'Moss'].map((value) => ({
          property_values: [{ property_id: 513, property_name: 'Glaze', value_ids: [], values: [value] }],
          offerings: [{ price: 9, quantity: 1, is_enabled: true, readiness_state_id: CLAY_READINESS }],
        })),
      },
    });
    const refused = await update(listing_id, { type: 'download' });
    expect(refused.status).toBe(409);
    const { body } = await upload(listing_id, 'guide.pdf');
    expect(body).toMatchObject({ filename: 'guide.pdf', rank: 1, size_bytes: 16, listing_id });
    const digital = await rig.call('GET', `/listings/${listing_id}`);
    expect(digital.body).toMatchObject({
      listing_type: 'download',
      shipping_profile_id: null,
      has_variations: false,
      file_data: 'guide.pdf',
    });
    await rig.call('DELETE', `${pathOf(listing_id)}/files/${body.listing_file_id}`);
    const physical = await rig.call('GET', `/listings/${listing_id}`);
    expect(physical.body).toMatchObject({ listing_type: 'physical', shipping_profile_id: null });
  });

  it('accept five files with plain names, in rank order', async () => {
    const listing_id = await createDigital('2020_2026');
    expect((await upload(listing_id, 'my file.pdf')).status).toBe(400);
    expect((await rig.call('POST', `${pathOf(listing_id)}/files`, { parts: new FormData() })).body).toEqual({
      error: 'Either a valid listing_file_id or file must be provided.',
    });
    const huge = fileParts('file', Buffer.alloc(20 * 1024 * 1024 + 1, 1), 'x.zip', { name: 'x.zip' });
    const refused = await rig.call('POST', `${pathOf(listing_id)}/files`, { parts: huge });
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { error: 'A file is at most 20 MB.' },
    });
    for (const rank of [1, 2, 3, 4, 5]) await upload(listing_id, `part-${rank}.pdf`, { rank: String(rank) });
    expect((await upload(listing_id, 'part-6.pdf')).status).toBe(400);
    const { body } = await rig.call('GET', `${pathOf(listing_id)}/files`);
    expect(pluck(body.results, 'filename')).toEqual([1, 2, 3, 4, 5].map((rank) => `part-${rank}.pdf`));
  });
});
