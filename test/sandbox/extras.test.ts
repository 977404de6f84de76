import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPng, CLAY, fileParts, imageParts, openRig } from './harness.js';
import type { Rig } from './harness.js';
import { fixturePath } from '../service.js';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.sandbox.close());

const shopPath = `/shops/${CLAY.shop_id}`;
const statusOf = async (method: string, path: string, sent: Parameters<Rig['call']>[2]) =>
  (await rig.call(method, path, sent)).status;

describe('the videos of a listing', () => {
  it('are two at most, and a deleted one can come back', async () => {
    const listing_id = await rig.createMug();
    const path = `${shopPath}/listings/${listing_id}/videos`;
    const movie = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1');
    const upload = (name: string, bytes = movie) =>
      rig.call('POST', path, { parts: fileParts('video', bytes, 'a.mp4', { name }) });
    const first = await upload('one.mp4');
    expect(first.status).toBe(201);
    expect((await upload('two.mp4')).status).toBe(201);
    expect((await upload('three.mp4')).status).toBe(409);
    expect((await rig.call('DELETE', `${path}/${first.body.video_id}`)).status).toBe(204);
    expect((await upload('bad.avi', Buffer.from('RIFFxxxxAVI '))).status).toBe(400);
    const again = new FormData();
    again.set('video_id', String(first.body.video_id));
    expect((await rig.call('POST', path, { parts: again })).status).toBe(201);
    const { body } = await rig.call('GET', `/listings/${listing_id}/videos`);
    expect(body.count).toBe(2);
    const served = Buffer.from(await (await fetch(first.body.video_url)).arrayBuffer());
    expect(served.equals(movie)).toBe(true);
  });

  it.each([
    ['two seconds long', 'clip-short.mp4', 'A video lasts 3 to 15 seconds.'],
    ['sixteen seconds long', 'clip-long.mp4', 'A video lasts 3 to 15 seconds.'],
    ['of 320 x 240 pixels', 'clip-small.mp4', 'A video has at least 500 pixels.'],
  ])('are refused if they are %s', async (_what, name, error) => {
    const path = `${shopPath}/listings/${await rig.createMug()}/videos`;
    const parts = fileParts('video', await readFile(fixturePath(name)), name, { name });
    expect(await rig.call('POST', path, { parts })).toMatchObject({ status: 400, body: { error } });
    expect((await rig.call('GET', path.replace(shopPath, ''))).body.count).toBe(0);
  });

  it.each(['clip.mp4', 'clip.mov', 'clip-rotated.mp4', 'clip-fragmented.mp4'])(
    'are accepted if they are like %s',
    async (name) => {
      const path = `${shopPath}/listings/${await rig.createMug()}/videos`;
      const parts = fileParts('video', await readFile(fixturePath(name)), name, { name });
      expect((await rig.call('POST', path, { parts })).status).toBe(201);
    },
  );
});

describe('images, videos and files', () => {
  it('appear in their lists only after the configured lag, and exist before that', async () => {
    const listing_id = await rig.createMug();
    const own = `${shopPath}/listings/${listing_id}`;
    await rig.control('POST', '/settings', { media_list_lag_ms: 60_000 });
    const movie = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1');
    const sent = [
      await rig.call('POST', `${own}/images`, { parts: imageParts(buildPng(1)) }),
      await rig.call('POST', `${own}/videos`, {
        parts: fileParts('video', movie, 'a.mp4', { name: 'a.mp4' }),
      }),
      await rig.call('POST', `${own}/files`, {
        parts: fileParts('file', Buffer.from('x'), 'a.pdf', { name: 'a.pdf' }),
      }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201]);
    const count = async () => {
      const lists = ['images', 'videos'].map((kind) => rig.call('GET', `/listings/${listing_id}/${kind}`));
      const [images, videos, files] = await Promise.all([...lists, rig.call('GET', `${own}/files`)]);
      const { body } = await rig.call('GET', `/listings/${listing_id}?includes=Images,Videos`);
      const included = [body.images.length, body.videos.length];
      return [images?.body.count, videos?.body.count, files?.body.count, ...included];
    };
    expect(await count()).toEqual([0, 0, 0, 0, 0]);
    await rig.control('POST', '/settings', { media_list_lag_ms: 0 });
    expect(await count()).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('attributes', () => {
  it('accept values that the category knows, with their scale', async () => {
    const listing_id = await rig.createMug();
    const path = `${shopPath}/listings/${listing_id}/properties`;
    const put = (property_id: number, form: Record<string, string>) =>
      rig.call('PUT', `${path}/${property_id}`, { form });
    const capacity = await put(185, { value_ids: '5203', values: '12', scale_id: '331' });
    const stored = {
      property_id: 185,
      property_name: 'Capacity',
      scale_id: 331,
      scale_name: 'Fluid ounces',
      value_ids: [5203],
      values: ['12'],
    };
    expect({ status: capacity.status, body: capacity.body }).toEqual({ status: 200, body: stored });
    expect((await put(357, { value_ids: '2100,2104', values: 'Ceramic,Stoneware' })).status).toBe(200);
    for (const [property_id, form] of [
      [185, { value_ids: '5203', values: '12' }],
      [200, { value_ids: '1,2', values: 'Beige,Black' }],
      [200, { value_ids: '1', values: 'Beige,Black' }],
      [200, { value_ids: '1', values: 'Beige (light)' }],
      [200, { value_ids: '99999', values: 'Mauve' }],
      [513, { value_ids: '1', values: 'x' }],
    ] as const) {
      expect((await put(property_id, form)).status).toBe(400);
    }
    expect((await rig.call('GET', path)).body.results[0]).toEqual(stored);
    expect(await statusOf('DELETE', `${path}/185`, {})).toBe(204);
    expect(await statusOf('DELETE', `${path}/185`, {})).toBe(404);
  });
});

const question = (changes: Record<string, unknown> = {}) => ({
  question_text: 'Name to engrave',
  question_type: 'text_input',
  required: false,
  max_allowed_characters: 40,
  instructions: 'Up to 12 letters look best.',
  ...changes,
});

describe('personalization', () => {
  it('stores one text question, shows it without a token and marks the listing', async () => {
    const listing_id = await rig.createMug();
    const path = `${shopPath}/listings/${listing_id}/personalization`;
    const { status, body } = await rig.call('POST', path, {
      json: { personalization_questions: [question({ add_on_price: 4.5 })] },
    });
    const stored = {
      personalization_questions: [
        {
          question_id: expect.any(Number),
          question_text: 'Name to engrave',
          instructions: 'Up to 12 letters look best.',
          question_type: 'text_input',
          required: false,
          max_allowed_characters: 40,
          max_allowed_files: null,
          options: null,
          add_on_price: { amount: 450, divisor: 100, currency_code: 'USD' },
        },
      ],
    };
    expect({ status, body }).toEqual({ status: 201, body: stored });
    const open = await rig.call('GET', `/listings/${listing_id}?includes=Personalization`);
    expect(open.body.personalization).toEqual(body);
    expect((await rig.call('GET', `/listings/${listing_id}`)).body.is_personalizable).toBe(true);
    expect(await statusOf('DELETE', path, {})).toBe(204);
    expect((await rig.call('GET', `/listings/${listing_id}`)).body.is_personalizable).toBe(false);
  });

  it('requires the flag for several questions', async () => {
    const listing_id = await rig.createMug();
    const path = `${shopPath}/listings/${listing_id}/personalization`;
    const two = [
      question(),
      {
        question_text: 'Font',
        question_type: 'dropdown',
        required: true,
        options: [{ label: 'Serif' }, { label: 'Sans' }],
      },
    ];
    const flag = '?supports_multiple_personalization_questions=true';
    expect(await statusOf('POST', path, { json: { personalization_questions: two } })).toBe(400);
    expect(await statusOf('POST', path + flag, { json: { personalization_questions: two } })).toBe(201);
    const one = { json: { personalization_questions: [question()] } };
    expect(await statusOf('POST', path, one)).toBe(409);
    expect(await statusOf('POST', path + flag, one)).toBe(201);
  });

  it.each([
    ['long instructions', { instructions: 'x'.repeat(121) }],
    ['shouting', { instructions: 'Please WRITE YOUR NAME here' }],
    ['shouting in another language', { instructions: 'Bitte GRÖSSE ÄUSSERST ÜPPIG angeben' }],
    ['shouting around a number', { instructions: 'SIZE 10 CM RING' }],
    ['instructions that begin with a sign', { instructions: '* name' }],
    ['a long question', { question_text: 'x'.repeat(46) }],
    ['no length', { max_allowed_characters: null }],
    ['too many characters', { max_allowed_characters: 1025 }],
    ['a price on a required question', { required: true, add_on_price: 2 }],
    ['options on a text', { options: [{ label: 'A' }] }],
    ['an unknown type', { question_type: 'number' }],
    ['a question of another listing', { question_id: 5 }],
  ])('refuses %s', async (_name, changes) => {
    const listing_id = await rig.createMug();
    const path = `${shopPath}/listings/${listing_id}/personalization?supports_multiple_personalization_questions=1`;
    expect(await statusOf('POST', path, { json: { personalization_questions: [question(changes)] } })).toBe(
      400,
    );
  });
});

describe('search', () => {
  it('requires every word, in title or tags, in any case', async () => {
    const { body } = await rig.call('GET', '/listings/active?keywords=MUG&limit=100');
    expect(body.count).toBeGreaterThanOrEqual(8);
    const both = await rig.call('GET', '/listings/active?keywords=mug%20camping');
    expect(both.body.count).toBe(3);
    expect((await rig.call('GET', '/listings/active?keywords=mug%20zeppelin')).body).toEqual({
      count: 0,
      results: [],
    });
  });

  it('sorts by price if there are keywords, and filters by price, location and category branch', async () => {
    const amounts = async (query: string) => {
      const { body } = await rig.call('GET', `/listings/active?limit=100&${query}`);
      const results: { price: { amount: number } }[] = body.results;
      return results.map((listing) => listing.price.amount);
    };
    const sorted = await amounts('keywords=mug&sort_on=price&sort_order=asc');
    expect(sorted).toEqual(sorted.toSorted((left, right) => left - right));
    const cheap = await amounts('keywords=mug&max_price=20&min_price=10');
    expect(cheap.length).toBeGreaterThan(0);
    expect(cheap.every((amount) => amount >= 1000 && amount <= 2000)).toBe(true);
    const inside = await amounts('taxonomy_id=1060');
    const { body } = await rig.call('GET', '/listings/active?taxonomy_id=1062&limit=100');
    expect(inside.length).toBeGreaterThan(body.count);
    expect((await amounts('shop_location=se')).length).toBe(6);
  });
});

describe('the receipts of a shop', () => {
  it("can be filtered, and reflect an order's progress", async () => {
    const path = `${shopPath}/receipts`;
    const open = await rig.call('GET', `${path}?was_shipped=false&was_canceled=false`);
    expect(open.body.count).toBe(1);
    const made = await rig.control('POST', '/receipts', { shop_id: CLAY.shop_id });
    const { receipt_id } = made.body;
    const one = await rig.call('GET', `${path}/${receipt_id}`);
    expect(one.body).toMatchObject({ status: 'paid', is_shipped: false });
    expect(one.body.transactions).toHaveLength(1);
    await rig.control('POST', '/receipts', { receipt_id, is_shipped: true });
    expect((await rig.call('GET', `${path}/${receipt_id}`)).body).toMatchObject({
      status: 'completed',
      shipments: [{ carrier_name: 'usps', tracking_code: expect.any(String) }],
    });
    await rig.control('POST', '/receipts', { receipt_id, is_delivered: true });
    const since = Number(one.body.created_timestamp);
    const fresh = await rig.call('GET', `${path}?min_last_modified=${since}&was_delivered=true`);
    expect(fresh.body.results.map((receipt: { receipt_id: number }) => receipt.receipt_id)).toEqual([
      receipt_id,
    ]);
  });
});
