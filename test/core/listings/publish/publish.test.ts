import type { ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeeQuestion } from '../../../../src/core/operations/call.js';
import {
  buildMug,
  collectProgress,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

type World = {
  listings: {
    listing_id: number;
    shop_id: number;
    state: string;
    title: string;
    images: { rank: number; sha256: string }[];
    inventory: { products: unknown[]; price_on_property: number[] };
    variation_images: { value: string; image_id: number }[];
    personalization: { instructions: string }[];
    files: { name: string }[];
    fields: { title: string; tags: string[] };
    videos: unknown[];
    properties: { property_id: number; values: string[] }[];
  }[];
  fees: { shop_id: number; amount: number; kind: string }[];
  calls: Record<string, number>;
};

let service: TestService;
let targets: Awaited<ReturnType<typeof listTargets>>;

beforeEach(async () => {
  service = await startService();
  targets = await listTargets(service);
});
afterEach(() => service.close());

const create = (body: object) => service.call<ListingJobResult>('listing_create', body);
const strike = (rule: object) => service.control('POST', '/faults', { rules: [rule] });
/** The same mug with its photo uploaded again. */
const buildUploaded = async () =>
  buildMug(targets, { state: 'publish', images: [{ url: await upload(service, 'photo-09.jpg') }] });
const readState = () => service.control<World>('GET', '/state');
/** Each call builds a new request, although it looks like another. */
let count = 0;
const fresh = () => ({ idempotency_key: `publish-${(count += 1)}` });

describe('a listing in two shops', () => {
  it('is activated completely: photos in order, the whole inventory, photos by value, one fee each', async () => {
    const urls = await Promise.all(
      ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'].map((name) => upload(service, name)),
    );
    const { messages, onProgress } = collectProgress();
    const result = await service.call<ListingJobResult>(
      'listing_create',
      buildMug(targets, {
        ...fresh(),
        state: 'active',
        images: [
          { url: urls[0], rank: 2 },
          { url: urls[1], rank: 1 },
          { url: urls[2], rank: 7 },
        ],
        variations: {
          properties: [
            { property_id: 513, name: 'Size', values: ['Small', 'Large'] },
            { property_id: 514, name: 'Glaze', values: ['White', 'Blue'] },
          ],
          offerings: [
            { size: 'Small', glaze: 'White', price: 24.5, quantity: 3, sku: 'S-W' },
            { size: 'Small', glaze: 'Blue', price: 24.5, quantity: 2, sku: 'S-B' },
            { size: 'Large', glaze: 'White', price: 30, quantity: 1, sku: 'L-W' },
          ],
          variation_images: { property: 'GLAZE', mapping: { White: 0, Blue: 2 } },
        },
        personalization: { enabled: true, instructions: 'Name for the cup', max_chars: 20 },
      }),
      { onProgress },
    );
    expect(result.status).toBe('completed');
    expect(
      result.results?.map(({ status, activated, activation_cost_usd, price, currency_code }) => ({
        status,
        activated,
        activation_cost_usd,
        price,
        currency_code,
      })),
    ).toEqual([
      { status: 'ok', activated: true, activation_cost_usd: 0.2, price: 24.5, currency_code: 'USD' },
      { status: 'ok', activated: true, activation_cost_usd: 0.2, price: 24.5, currency_code: 'EUR' },
    ]);
    expect(result.results?.[0]?.images?.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(result.results?.[0]?.warnings?.map(({ code }) => code)).toEqual([
      'offerings_completed',
      'processing_profile_defaulted',
    ]);
    expect(messages).toContain('"ClayAndOak": image 3 of 3');

    const { listings, fees } = await readState();
    expect(listings.map(({ state }) => state)).toEqual(['active', 'active']);
    expect(fees.map(({ shop_id, amount, kind }) => ({ shop_id, amount, kind }))).toEqual(
      expect.arrayContaining(targets.map(({ shop_id }) => ({ shop_id, amount: 20, kind: 'listing' }))),
    );
    expect(fees).toHaveLength(2);
    for (const listing of listings) {
      expect(listing.inventory.products).toHaveLength(4);
      expect(listing.inventory.price_on_property).toEqual([513]);
      const byRank = [...listing.images].sort((a, b) => a.rank - b.rank);
      expect(byRank.map(({ rank }) => rank)).toEqual([1, 2, 3]);
      expect(new Set(byRank.map(({ sha256 }) => sha256)).size).toBe(3);
      expect(listing.variation_images.map(({ value }) => value).sort()).toEqual(['Blue', 'White']);
      expect(listing.personalization[0]?.instructions).toBe('Name for the cup');
    }
  });

  it('answers the same request again without creating anything twice', async () => {
    const body = buildMug(targets, { ...fresh(), state: 'publish' });
    const first = await create(body);
    const second = await create(body);
    expect(second.job_id).toBe(first.job_id);
    expect(second.results).toEqual(first.results);
    expect(second.warnings?.map(({ code }) => code)).toEqual(['replayed']);
    expect((await readState()).listings).toHaveLength(2);
  });

  it('joins twenty identical calls without a key into one job', async () => {
    const body = buildMug(targets, { state: 'publish' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1);
    expect((await readState()).listings).toHaveLength(2);
  });

  it('treats the same photo, uploaded again by an assistant that starts over, as the same request', async () => {
    const first = await create(await buildUploaded());
    const second = await create(await buildUploaded());
    expect(second.job_id).toBe(first.job_id);
    expect((await readState()).listings).toHaveLength(2);
  });

  it('refuses a key that came with another body', async () => {
    const key = fresh();
    await create(buildMug(targets, key));
    const { code } = await service.refuse('listing_create', buildMug(targets.slice(0, 1), key));
    expect(code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('digital listings', () => {
  it('are activated with their file, and ignore fields of physical ones with a warning', async () => {
    const image = await upload(service, 'photo-04.jpg');
    const file = await upload(service, 'pattern.pdf', 'digital');
    const body = buildMug(targets.slice(0, 1), {
      ...fresh(),
      state: 'active',
      images: [{ url: image }],
      digital_files: [{ url: file, name: 'my-pattern.pdf' }],
    });
    Object.assign(body.listing, { listing_type: 'digital', when_made: '2020_2026' });
    const { results } = await create(body);
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true });
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(['ignored_field']);
    const { listings } = await readState();
    expect(listings[0]).toMatchObject({ state: 'active', files: [{ name: 'my-pattern.pdf' }] });
  });
});

describe('drafts', () => {
  it('are saved without a marketplace call, published later, and cannot be deleted after that', async () => {
    const before = (await readState()).calls;
    const draft = await create(buildMug(targets, fresh()));
    expect(draft).toMatchObject({ status: 'draft', shops_count: 2 });
    expect((await readState()).calls).toEqual(before);
    const { listing_pk } = draft;
    const published = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'publish',
    });
    expect(published.results?.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect((await service.refuse('listing_delete', { listing_pk })).code).toBe('NOT_DELETABLE');
    expect((await readState()).listings).toHaveLength(2);
  });

  it('can be deleted while no part of them is on the marketplace', async () => {
    const { listing_pk } = await create(buildMug(targets, fresh()));
    expect(await service.call('listing_delete', { listing_pk })).toEqual({ listing_pk, deleted: true });
    expect((await service.refuse('listing_get', { listing_pk })).code).toBe('LISTING_NOT_FOUND');
  });
});

describe('a dry run', () => {
  it('reports calls and cost, and leaves nothing behind', async () => {
    const image = await upload(service, 'photo-05.jpg');
    const { calls } = await readState();
    const result = await create(
      buildMug(targets, { state: 'active', images: [{ url: image }], dry_run: true }),
    );
    expect(result).toMatchObject({ status: 'valid', cost_usd: 0.4, marketplace_calls: 8 });
    const after = await readState();
    expect(after.listings).toEqual([]);
    expect(after.calls['createDraftListing']).toBe(calls['createDraftListing']);
    expect((await service.call<{ total: number }>('listings_list', { status: 'processing' })).total).toBe(0);
  });
});

describe('a publish on a misbehaving marketplace', () => {
  it('adopts a draft whose answer was lost instead of creating another', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_reset' } });
    const { results } = await create(buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish' }));
    expect(results?.[0]?.status).toBe('ok');
    expect((await readState()).listings).toHaveLength(1);
  });

  it('creates the draft again if two searches found none', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'reset' } });
    const { results } = await create(buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish' }));
    expect(results?.[0]?.status).toBe('ok');
    const { listings, calls } = await readState();
    expect(listings).toHaveLength(1);
    expect(calls['getListingsByShop']).toBe(3);
  });

  it('pays one fee if the answer to the activation was lost', async () => {
    const image = await upload(service, 'photo-06.jpg');
    await strike({ operation: 'updateListing', action: { type: 'commit_then_reset' } });
    const { results } = await create(
      buildMug(targets.slice(0, 1), { ...fresh(), state: 'active', images: [{ url: image }] }),
    );
    expect(results?.[0]).toMatchObject({ status: 'ok', activated: true, activation_cost_usd: 0.2 });
    expect((await readState()).fees).toHaveLength(1);
  });

  it('sends no photo twice after a lost answer', async () => {
    const urls = await Promise.all(
      ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'].map((name) => upload(service, name)),
    );
    await strike({ operation: 'uploadListingImage', after: 1, action: { type: 'commit_then_reset' } });
    const { results } = await create(
      buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish', images: urls.map((url) => ({ url })) }),
    );
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(['processing_profile_defaulted']);
    const { listings } = await readState();
    expect(listings[0]?.images.map(({ rank }) => rank).sort()).toEqual([1, 2, 3]);
  });

  it('omits a field that creation refuses, and sets it afterwards', async () => {
    await service.control('POST', '/settings', {
      refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
    });
    const body = buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish' });
    Object.assign(body.listing, { tags: ['stoneware', 'mug'] });
    const { results } = await create(body);
    expect(results?.[0]?.status).toBe('ok');
    expect(results?.[0]?.warnings?.map(({ code }) => code)).toEqual(['processing_profile_defaulted']);
    expect((await readState()).listings[0]?.fields.tags).toEqual(['stoneware', 'mug']);
  });

  it('names fields that could not be set afterwards either, with the reason', async () => {
    await service.control('POST', '/settings', {
      refuse: ['createDraftListing', 'updateListing'].map((operation) => ({
        operation,
        field: 'materials',
        message: 'The materials are not valid',
      })),
    });
    const body = buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish' });
    Object.assign(body.listing, { materials: ['clay'], tags: ['mug'] });
    const { results } = await create(body);
    expect(results?.[0]?.status).toBe('ok');
    expect(results?.[0]?.warnings?.find(({ code }) => code === 'recovery_update_failed')).toEqual({
      code: 'recovery_update_failed',
      level: 'warning',
      fields: ['listing.materials'],
      reason:
        'Refused at creation, and could not be set afterward: the marketplace answered 400 "The materials are not valid".',
    });
  });

  it('names the call that sets a field without an answer, because nothing is left to publish', async () => {
    await service.control('POST', '/settings', {
      refuse: [{ operation: 'createDraftListing', field: 'tags', message: 'The tags are not valid' }],
    });
    await strike({ operation: 'updateListing', times: 3, action: { type: 'status', status: 500, body: {} } });
    const body = buildMug(targets.slice(0, 1), { ...fresh(), state: 'publish' });
    Object.assign(body.listing, { tags: ['mug'] });
    const { listing_pk, results } = await create(body);
    const outcome = results?.[0]?.warnings?.find(({ code }) => code === 'recovery_update_failed');
    expect(outcome?.reason).toMatch(/^Refused at creation, .*; call listing_update to finish\.$/);
    expect(await service.call('listing_publish', { listing_pk, state: 'publish' })).toMatchObject({
      status: 'unchanged',
    });
    await service.call('listing_update', { listing_pk, changes: { listing: { tags: ['mug', 'clay'] } } });
    expect((await readState()).listings[0]?.fields.tags).toEqual(['mug', 'clay']);
  });

  it('names refused, dropped and omitted fields by their paths in the request', async () => {
    await service.control('POST', '/settings', {
      refuse: ['createDraftListing', 'updateListing'].map((operation) => ({
        operation,
        field: 'shop_section_id',
        message: 'The shop_section_id is not valid',
      })),
      ignore_fields: ['tags'],
    });
    await strike({
      operation: 'uploadListingImage',
      action: { type: 'status', status: 400, body: { error: 'no' } },
    });
    const [clay = {}, linen = {}] = targets;
    const urls = await Promise.all(['photo-01.jpg', 'photo-02.jpg'].map((name) => upload(service, name)));
    const images = [
      { url: urls[0], rank: 2 },
      { url: urls[1], rank: 1 },
    ];
    const body = buildMug([clay, { ...linen, shop_section_id: 44902511 }], {
      ...fresh(),
      state: 'publish',
      images,
    });
    Object.assign(body.listing, { tags: ['mug'] });
    const { results } = await create(body);
    const outcome = (results ?? []).flatMap(({ warnings = [] }, index) =>
      warnings.map(({ code, fields }) => [index, code, ...fields].join(' ')),
    );
    expect(outcome).toEqual(
      expect.arrayContaining([
        '0 processing_profile_defaulted shops[0].processing_profile_id',
        '0 marketplace_changed listing.tags',
        '1 processing_profile_defaulted shops[1].processing_profile_id',
        '1 recovery_update_failed shops[1].shop_section_id',
      ]),
    );
    expect(outcome.filter((line) => line.includes('image_failed'))).toEqual([
      expect.stringMatching(/^[01] image_failed images\[1\]$/),
    ]);
  });

  it('fails one shop while the other succeeds, and later finishes the failed one without repeating the rest', async () => {
    const image = await upload(service, 'photo-07.jpg');
    await strike({
      operation: 'updateListing',
      shop_id: targets[1]?.shop_id,
      action: { type: 'status', status: 400, body: { error: 'not today' } },
    });
    const failed = await create(buildMug(targets, { ...fresh(), state: 'active', images: [{ url: image }] }));
    expect(failed.status).toBe('completed');
    expect(failed.results?.map(({ status }) => status)).toEqual(['ok', 'error']);
    expect(failed.results?.[1]).toMatchObject({ marketplace_status: 400, details: { step: 'activate' } });
    expect(failed.results?.[1]?.error).toContain('not today');
    const { calls } = await readState();
    const finished = await service.call<ListingJobResult>('listing_publish', {
      listing_pk: failed.listing_pk,
      state: 'active',
    });
    expect(finished.results).toMatchObject([{ shop_id: `${targets[1]?.shop_id}`, status: 'ok' }]);
    const after = await readState();
    expect(after.calls['uploadListingImage']).toBe(calls['uploadListingImage']);
    expect(after.calls['createDraftListing']).toBe(calls['createDraftListing']);
    expect(after.fees).toHaveLength(2);
  });

  it('stops before the fee if a photo of an active listing is missing', async () => {
    const image = await upload(service, 'photo-08.jpg');
    await strike({
      operation: 'uploadListingImage',
      action: { type: 'status', status: 400, body: { error: 'this picture is not liked' } },
    });
    const failed = await create(
      buildMug(targets.slice(0, 1), { ...fresh(), state: 'active', images: [{ url: image }] }),
    );
    expect(failed.results?.[0]).toMatchObject({
      status: 'error',
      marketplace_status: 400,
      details: { step: 'images' },
    });
    expect((await readState()).fees).toEqual([]);
    const finished = await service.call<ListingJobResult>('listing_publish', {
      listing_pk: failed.listing_pk,
      state: 'active',
    });
    expect(finished.results?.[0]).toMatchObject({ status: 'ok', activated: true });
    expect((await readState()).listings).toHaveLength(1);
  });
});

it('asks again for consent if the listing changes while a person is asked, and then activates it with the change', async () => {
  const { listing_pk } = await create(
    buildMug(targets, { ...fresh(), images: [{ url: await upload(service, 'photo-01.jpg') }] }),
  );
  const questions: FeeQuestion[] = [];
  const askConsent = async (question: FeeQuestion) => {
    questions.push(question);
    if (questions.length === 1) {
      await service.call('listing_update', { listing_pk, changes: { listing: { title: 'Another mug' } } });
    }
    return 'accepted' as const;
  };
  const { results } = await service.call<ListingJobResult>(
    'listing_publish',
    { listing_pk, state: 'active' },
    { askConsent },
  );
  expect(results?.map(({ status }) => status)).toEqual(targets.map(() => 'ok'));
  expect(questions).toHaveLength(2);
  const { listings, fees } = await readState();
  expect(listings.map(({ fields }) => fields.title)).toEqual(targets.map(() => 'Another mug'));
  expect(fees).toHaveLength(targets.length);
});
