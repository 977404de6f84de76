import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPng, CLAY, imageParts, openRig, pluck } from './harness.js';
import type { Rig } from './harness.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const pathOf = (listing_id: number) => `/shops/${CLAY.shop_id}/listings/${listing_id}/images`;
const upload = (listing_id: number, seed: number, fields?: Record<string, string>) =>
  rig.call('POST', pathOf(listing_id), { parts: imageParts(buildPng(seed), fields) });
const idsOf = async (listing_id: number) => {
  const { body } = await rig.call('GET', `/listings/${listing_id}/images`);
  return pluck(body.results, 'listing_image_id');
};

const MISSING = { error: 'Either a valid image file or a listing_image_id must be provided.' };

describe('uploadListingImage', () => {
  it('puts images at their rank, appends them if the rank is beyond the end, and puts them first without a rank', async () => {
    const listing_id = await rig.createMug();
    const first = (await upload(listing_id, 1, { rank: '1' })).body.listing_image_id;
    const second = (await upload(listing_id, 2, { rank: '2' })).body.listing_image_id;
    const far = await upload(listing_id, 3, { rank: '9', alt_text: 'from the side' });
    expect(far.body).toMatchObject({ rank: 3, alt_text: 'from the side', listing_id });
    const front = (await upload(listing_id, 4)).body.listing_image_id;
    const middle = (await upload(listing_id, 5, { rank: '3' })).body.listing_image_id;
    expect(await idsOf(listing_id)).toEqual([front, first, middle, second, far.body.listing_image_id]);
  });

  it('shuffles parallel uploads without ranks but loses none', async () => {
    const listing_id = await rig.createMug();
    const replies = await Promise.all([1, 2, 3, 4, 5].map((seed) => upload(listing_id, seed)));
    const ids = replies.map((reply): unknown => reply.body.listing_image_id);
    expect(new Set(await idsOf(listing_id))).toEqual(new Set(ids));
  });

  it('replaces with overwrite, moves and describes an image by its id, and restores a deleted one', async () => {
    const listing_id = await rig.createMug();
    const [a, b] = [
      (await upload(listing_id, 1, { rank: '1' })).body,
      (await upload(listing_id, 2, { rank: '2' })).body,
    ];
    const c = (await upload(listing_id, 3, { rank: '1', overwrite: 'true' })).body;
    expect(await idsOf(listing_id)).toEqual([c.listing_image_id, b.listing_image_id]);
    const form = new FormData();
    form.set('listing_image_id', String(a.listing_image_id));
    form.set('rank', '2');
    expect((await rig.call('POST', pathOf(listing_id), { parts: form })).status).toBe(201);
    expect(await idsOf(listing_id)).toEqual([c.listing_image_id, a.listing_image_id, b.listing_image_id]);
    const gone = await rig.call('DELETE', `${pathOf(listing_id)}/${c.listing_image_id}`);
    expect(gone.status).toBe(204);
    expect(await idsOf(listing_id)).toEqual([a.listing_image_id, b.listing_image_id]);
  });

  it('ignores a rank that was sent as a file', async () => {
    const listing_id = await rig.createMug();
    await upload(listing_id, 1, { rank: '1' });
    const parts = imageParts(buildPng(2));
    parts.set('rank', new Blob(['2']), 'rank.txt');
    expect((await rig.call('POST', pathOf(listing_id), { parts })).body.rank).toBe(1);
  });

  it('accepts at most twenty, and then not even one already attached', async () => {
    const listing_id = await rig.createMug();
    for (let rank = 1; rank <= 20; rank += 1) await upload(listing_id, rank, { rank: String(rank) });
    const full = {
      error:
        'Listings are only allowed 20 images. Please delete a ListingImage before trying to upload another.',
    };
    const refused = await upload(listing_id, 21, { rank: '21' });
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 400, body: full });
    const form = new FormData();
    form.set('listing_image_id', String((await idsOf(listing_id))[0]));
    form.set('alt_text', 'new words');
    expect((await rig.call('POST', pathOf(listing_id), { parts: form })).body).toEqual(full);
    expect((await upload(listing_id, 22, { rank: '20', overwrite: 'true' })).status).toBe(201);
  });

  it('refuses anything but JPEG, PNG and GIF, a missing image and a missing boundary', async () => {
    const listing_id = await rig.createMug();
    const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1');
    for (const parts of [imageParts(webp), imageParts(Buffer.from('<svg/>')), new FormData()]) {
      const { status, body } = await rig.call('POST', pathOf(listing_id), { parts });
      expect({ status, body }).toEqual({ status: 400, body: MISSING });
    }
    const bare = await rig.call('POST', pathOf(listing_id), {
      headers: { 'content-type': 'multipart/form-data' },
      json: 'x',
    });
    expect({ status: bare.status, body: bare.body }).toEqual({ status: 400, body: MISSING });
    expect(await idsOf(listing_id)).toEqual([]);
  });

  it('adds the size later', async () => {
    await rig.control('POST', '/settings', { image_processing_ms: 60_000 });
    const listing_id = await rig.createMug();
    const { body } = await upload(listing_id, 7);
    expect(body).toMatchObject({ full_width: null, full_height: null, hex_code: null });
    await rig.control('POST', '/settings', { image_processing_ms: 0 });
    const later = await rig.call('GET', `/listings/${listing_id}/images`);
    expect(later.body.results).toMatchObject([{ full_width: 40, full_height: 30, red: expect.any(Number) }]);
  });

  it('serves the bytes at the URL it returns, and a drawing for seeded pictures', async () => {
    const listing_id = await rig.createMug();
    const bytes = buildPng(99);
    const { body } = await rig.call('POST', pathOf(listing_id), { parts: imageParts(bytes) });
    expect(body.url_fullxfull.startsWith(`${rig.sandbox.url}/img/`)).toBe(true);
    const served = await fetch(body.url_fullxfull);
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    const found = await rig.call('GET', '/listings/active?keywords=mug&limit=1');
    const seeded = await rig.call('GET', `/listings/${found.body.results[0].listing_id}/images`);
    const drawing = Buffer.from(await (await fetch(seeded.body.results[0].url_570xN)).arrayBuffer());
    expect(drawing.toString('latin1', 1, 4)).toBe('PNG');
    const state = await rig.control('GET', '/state');
    const listings: { listing_id: number; images: object[] }[] = state.body.listings;
    const listing = listings.find((candidate) => candidate.listing_id === listing_id);
    expect(listing?.images).toMatchObject([
      { rank: 1, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]);
  });

  it('replaces the whole set and order with image_ids', async () => {
    const listing_id = await rig.createMug();
    await upload(listing_id, 1, { rank: '1' });
    await upload(listing_id, 2, { rank: '2' });
    await upload(listing_id, 3, { rank: '3' });
    const [a, , c] = (await idsOf(listing_id)).map(Number);
    const path = `/shops/${CLAY.shop_id}/listings/${listing_id}`;
    await rig.call('PATCH', path, { form: { image_ids: `${c},${a}` } });
    expect(await idsOf(listing_id)).toEqual([c, a]);
    expect((await rig.call('PATCH', path, { form: { image_ids: '1' } })).status).toBe(400);
    const emptied = await rig.call('PATCH', path, { form: { image_ids: '' } });
    expect(emptied.body).toEqual([
      { path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' },
    ]);
  });
});
