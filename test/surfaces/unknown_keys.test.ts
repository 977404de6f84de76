import type { Warning } from '../answers.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFace, type HttpFace } from '../../src/transports/index.js';
import { operations } from '../../tools/index.js';
import { buildMug, listTargets, MUGS, startService, upload, type TestService } from '../service.js';
import { openMcpHttp, openRest, type Face, type Output } from './faces.js';

/*
 * No part of a request is dropped silently, in any operation and over any transport, and nothing is paid for
 * a request that was not fully understood.
 */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4oaEBAALUARk7rVwIAAAAAElFTkSuQmCC';

let service: TestService;
let http: HttpFace;
let url: string;
let key: string;
let targets: { shop_id: number }[];
let image: string;

beforeAll(async () => {
  service = await startService();
  const { account_id } = await service.app.core.accounts.getDefault();
  ({ key } = await service.app.core.accounts.createKey(account_id, 'test'));
  http = await createHttpFace(service.app.service, { host: '127.0.0.1', port: 0, trust_proxy: false });
  url = `http://127.0.0.1:${http.port}`;
  targets = await listTargets(service);
  image = await upload(service, 'photo-01.jpg');
  await service.call('listing_schema', { category_id: MUGS });
});
afterAll(async () => {
  await http.close(1_000);
  await service.close();
});

const FACES: Record<string, () => Promise<Face>> = {
  REST: () => Promise.resolve(openRest(url, key)),
  'MCP over HTTP': () => openMcpHttp(url, key),
};

type State = { listings: unknown[]; fees: unknown[] };
/** A listing that the first shop has from the start. */
const SEEDED = 4_310_220_117;
let titles = 0;

/** A valid and unique request for one shop. */
function buildRequest(more: Output = {}) {
  titles += 1;
  const { listing, shops } = buildMug(targets.slice(0, 1));
  return {
    shops: shops as Output[],
    listing: { ...listing, title: `Mug ${titles}` } as Output,
    images: [{ url: image }],
    ...more,
  };
}

const listUnknown = (answer: { warnings?: Warning[] }) =>
  (answer.warnings ?? []).filter(({ code }) => code === 'unknown_field').flatMap(({ fields }) => fields);

const many = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 0]));

/** Operations where ignoring a key could change more listings than intended. */
const REFUSING = new Set(['batch_create', 'batch_start', 'batch_undo']);

describe.each(Object.keys(FACES))('over %s', (name) => {
  let face: Face;
  beforeAll(async () => {
    face = await (FACES[name] as () => Promise<Face>)();
  });
  afterAll(() => face.close());

  async function ask(id: string, input: Output = {}): Promise<Output & { warnings?: Warning[] }> {
    const answer = await face.call(id, input);
    if (!answer.ok) throw new Error(`${id}: ${answer.error.code} ${answer.error.message}`);
    return answer.output;
  }

  async function refuse(id: string, input: Output): Promise<string[]> {
    const answer = await face.call(id, input);
    if (answer.ok) throw new Error(`${id} is not refused: ${JSON.stringify(answer.output)}`);
    expect(answer.error).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    return answer.error.message.split('\n');
  }

  it('every operation reports an unknown key', async () => {
    const [{ shop_id } = { shop_id: 0 }] = targets;
    const set = { url: `${url}/healthz` };
    const { listing_pk } = await ask('listing_create', buildRequest());
    const { job_id, listing_pk: published_pk } = await ask(
      'listing_create',
      buildRequest({ state: 'publish' }),
    );
    const planned = {
      select: { listing_pks: [published_pk] },
      edits: [{ field: 'price', op: 'increase_percent', value: 10 }],
    };
    const { batch_id } = await ask('batch_create', planned);
    await ask('webhook_endpoint_set', set);
    const { delivery_id } = await ask('webhook_test');
    const inputs: Record<string, Output> = {
      stores_list: {},
      store_details_cached: { shop_id },
      store_sync: { shop_id },
      store_shipping_profiles_live: { shop_id },
      store_return_policies_live: { shop_id },
      store_processing_profiles_live: { shop_id },
      store_shop_sections_live: { shop_id },
      store_listings: { shop_id },
      categories_search: { keywords: 'mug' },
      listing_schema: { category_id: MUGS },
      listings_search: { keywords: 'mug', limit: 2 },
      file_upload: { file: PNG, filename: 'mug.png' },
      listing_create: buildRequest(),
      listing_create_status: { job_id },
      listings_list: {},
      listing_get: { listing_pk },
      listing_update: { listing_pk: published_pk, changes: { listing: { title: 'Mug, changed' } } },
      listing_undo: { listing_pk: published_pk },
      listing_publish: { listing_pk: published_pk, state: 'publish' },
      listing_import: { shop_id, listing_ids: [SEEDED] },
      listing_copy: { listing_pk, shops: targets.slice(1).map((shop) => ({ ...shop, price: 23 })) },
      listing_delete: { listing_pk },
      batch_sheet: { select: { listing_pks: [published_pk] } },
      batch_create: planned,
      batches_list: {},
      batch_start: { batch_id },
      batch_cancel: { batch_id },
      batch_undo: { batch_id },
      webhook_endpoint_set: set,
      webhook_endpoint_get: {},
      webhook_test: {},
      webhooks_deliveries: {},
      webhook_delivery_retry: { delivery_id },
      webhook_endpoint_delete: {},
    };
    expect(Object.keys(inputs)).toEqual(operations.map(({ id }) => id));
    for (const [id, input] of Object.entries(inputs)) {
      const isRefused = REFUSING.has(id);
      const problem = isRefused ? (await refuse(id, { ...input, frobnicate: 'x' }))[0] : undefined;
      const answer = await ask(id, isRefused ? input : { ...input, frobnicate: 'x' });
      const shown = isRefused ? problem?.replace(/: [^:]*$/, '') : listUnknown(answer);
      expect({ id, shown }).toEqual({
        id,
        shown: isRefused ? 'frobnicate: is unknown; known keys' : ['frobnicate'],
      });
    }
  });

  it('a warning names the known keys, and the rest of the answer is unchanged', async () => {
    const plain = await ask('listings_search', { keywords: 'mug', limit: 2 });
    expect(plain).not.toHaveProperty('warnings');
    const { warnings, ...rest } = await ask('listings_search', { keywords: 'mug', limit: 2, min_price: 10 });
    expect(rest).toEqual(plain);
    expect(warnings).toEqual([
      {
        code: 'unknown_field',
        level: 'warning',
        fields: ['min_price'],
        reason: '"min_price" is an unknown key and was ignored. Known keys: keywords, limit, offset.',
      },
    ]);
    const found = await ask('categories_search', { keywords: 'mug', page: 2 });
    expect(found.warnings).toEqual([
      {
        code: 'unknown_field',
        level: 'warning',
        fields: ['page'],
        reason: expect.stringMatching(/^"page" is an unknown key and was ignored/) as string,
      },
    ]);
  });

  it('a draft reports unknown keys at every depth, each time it is shown', async () => {
    const { listing, ...rest } = buildRequest();
    const [shop = {}] = rest.shops;
    const draft = await ask('listing_create', {
      ...rest,
      shops: [{ ...shop, readiness_state_id: 1, stock: 2 }],
      listing: { ...listing, variations: {}, personalization: {}, images: [] },
      images: [{ url: image, lens: '50 mm', is_primary: true }],
      personalization: { enabled: true, questions: [] },
      price: 3,
      variants: [],
    });
    const fields = [
      'shops[0].readiness_state_id',
      'shops[0].stock',
      'listing.variations',
      'listing.personalization',
      'listing.images',
      'images[0].lens',
      'images[0].is_primary',
      'personalization.questions',
      'price',
      'variants',
    ];
    expect(draft).toMatchObject({ status: 'draft' });
    expect(listUnknown(draft).sort()).toEqual([...fields].sort());
    const { listing_pk } = draft;
    expect(listUnknown(await ask('listing_get', { listing_pk })).sort()).toEqual([...fields].sort());
  });

  const MISPLACED: [string, (request: ReturnType<typeof buildRequest>) => Output, string][] = [
    [
      'variations inside the listing',
      ({ listing, ...rest }) => ({ ...rest, listing: { ...listing, variations: {} } }),
      'listing.variations: is unknown; it belongs next to "listing", as "variations"',
    ],
    [
      'personalization inside the listing',
      ({ listing, ...rest }) => ({ ...rest, listing: { ...listing, personalization: { enabled: true } } }),
      'listing.personalization: is unknown; it belongs next to "listing", as "personalization"',
    ],
    [
      'a price next to the listing',
      (request) => ({ ...request, price: 30 }),
      'price: is unknown; it belongs in listing.price, shops[].price, or variations.offerings[].price',
    ],
    [
      "the marketplace's name of the processing profile",
      ({ shops, ...rest }) => ({
        ...rest,
        shops: shops.map((shop) => ({ ...shop, readiness_state_id: 1 })),
      }),
      'shops[0].readiness_state_id: is unknown; here it is called "processing_profile_id"',
    ],
    [
      'another key for the variations',
      (request) => ({ ...request, variants: [] }),
      'variants: is unknown; here it is called "variations"',
    ],
    [
      'another key for the rank',
      ({ images, ...rest }) => ({ ...rest, images: images.map((one) => ({ ...one, is_primary: true })) }),
      'images[0].is_primary: is unknown; here it is called "rank"',
    ],
    [
      'another key for the state',
      (request) => ({ ...request, status: 'draft' }),
      'status: is unknown; here it is called "state"',
    ],
    [
      'a misspelled shops',
      (request) => ({ ...request, shop: [] }),
      'shop: is unknown; did you mean "shops"?',
    ],
    [
      'a misspelled idempotency_key',
      (request) => ({ ...request, idempotencyKey: 'a' }),
      'idempotencyKey: is unknown; did you mean "idempotency_key"?',
    ],
    [
      'a misspelled dry_run',
      (request) => ({ ...request, dryRun: true }),
      'dryRun: is unknown; did you mean "dry_run"?',
    ],
  ];

  it.each(MISPLACED)('no fee is paid for a request with %s', async (_what, change, line) => {
    const before = await service.control<State>('GET', '/state');
    const { total } = await ask('listings_list');
    const request = change(buildRequest({ state: 'active' }));
    expect(await refuse('listing_create', request)).toEqual([line]);
    expect(await refuse('listing_create', { ...request, dry_run: true })).toEqual([line]);
    const after = await service.control<State>('GET', '/state');
    expect([after.fees, after.listings]).toEqual([before.fees, before.listings]);
    expect((await ask('listings_list'))['total']).toBe(total);
    const draft = await ask('listing_create', { ...request, state: 'draft' });
    expect(draft).toMatchObject({ status: 'draft' });
    expect(listUnknown(draft)).toHaveLength(1);
  });

  it.each([
    ['listing_dry_run', (request) => ({ ...request, listing_dry_run: true })],
    ['shop_dry_run', (request) => ({ ...request, shop_dry_run: true })],
    ['ｄｒｙ＿ｒｕｎ', (request) => ({ ...request, ｄｒｙ＿ｒｕｎ: true })],
    ['validate', (request) => ({ ...request, validate: true })],
    [
      'listing.is_dry_run',
      ({ listing, ...rest }) => ({ ...rest, listing: { ...listing, is_dry_run: true } }),
    ],
    [
      'shops[0].dry_run_only',
      ({ shops, ...rest }) => ({ ...rest, shops: shops.map((shop) => ({ ...shop, dry_run_only: true })) }),
    ],
  ] satisfies [string, (request: ReturnType<typeof buildRequest>) => Output][])(
    '%s is understood as a misspelled dry_run, also with state publish',
    async (path, change) => {
      for (const state of ['publish', 'active']) {
        const [line, ...others] = await refuse('listing_create', change(buildRequest({ state })));
        expect(line).toContain(`${path}: is unknown; `);
        expect(line).toContain('"dry_run"');
        expect(others).toEqual([]);
      }
    },
  );

  it('shop_name in an entry of shops is not refused as a misspelling', async () => {
    const { shops, ...rest } = buildRequest({ state: 'active', dry_run: true });
    const named = shops.map((shop) => ({ ...shop, shop_name: 'ClayAndOak' }));
    expect(await ask('listing_create', { ...rest, shops: named })).toMatchObject({ status: 'valid' });
  });

  it('a dry run does not call a request with an unknown key right', async () => {
    for (const state of ['draft', 'publish']) {
      const right = buildRequest({ state, dry_run: true });
      expect((await ask('listing_create', right))['message']).toMatch(/^No problems found/);
      const answer = await ask('listing_create', { ...right, price: 3 });
      expect(answer['message']).toMatch(
        /^It would be accepted; the warnings say what will differ from the request/,
      );
      expect(listUnknown(answer)).toEqual(['price']);
    }
  });

  it('unknown keys are reported together with all other problems', async () => {
    const { listing, ...rest } = buildRequest({ state: 'active' });
    const { title: _, ...untitled } = listing;
    expect(await refuse('listing_create', { ...rest, listing: untitled, title: 'Mug', tag: 1 })).toEqual([
      'listing.title: is required; it was sent as title',
      'title: is unknown; it belongs in listing.title',
    ]);
    const wrong = { ...rest, listing: { ...listing, price: 0.1, photos: [] }, shops: [{ shop_id: 1 }] };
    expect((await refuse('listing_create', wrong)).map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining(['listing.photos', 'listing.price', 'shops[0].shop_id']),
    );
  });

  it.each([
    ['qty', { qty: 3 }],
    ['stock', { stock: 3 }],
    ['inventory', { inventory: 3 }],
  ])('the error for a missing quantity says that it was sent as %s', async (sent_as, sent) => {
    const { listing, ...rest } = buildRequest();
    const { quantity: _, ...without } = listing;
    for (const state of ['draft', 'publish', 'active']) {
      const lines = await refuse('listing_create', { ...rest, state, listing: { ...without, ...sent } });
      expect(lines).toContain(
        `listing.quantity: is required unless every offering has a quantity; it was sent as listing.${sent_as}`,
      );
    }
  });

  it('a request whose unknown keys are meaningless or empty can be paid for', async () => {
    const { listing, ...rest } = buildRequest({ state: 'active', dry_run: true });
    const answer = await ask('listing_create', {
      ...rest,
      listing: { ...listing, variations: null },
      images: [{ url: image, lens: '50 mm' }],
      campaign: 'autumn',
    });
    expect(answer).toMatchObject({ status: 'valid', cost_usd: 0.2 });
    expect(listUnknown(answer).sort()).toEqual(['campaign', 'images[0].lens', 'listing.variations']);
  });

  it('no draft is made on the marketplace if a dry run may have been meant', async () => {
    const { listings } = await service.control<State>('GET', '/state');
    const line = 'dryRun: is unknown; did you mean "dry_run"?';
    expect(await refuse('listing_create', buildRequest({ state: 'publish', dryRun: true }))).toEqual([line]);
    const { listing_pk } = await ask('listing_create', buildRequest());
    for (const [key, said] of [
      ['is_dry_run', 'did you mean "dry_run"?'],
      ['dry_rn', 'did you mean "dry_run"?'],
      ['shop', 'did you mean "shops"?'],
      ['shop_ids', 'here it is called "shops"'],
      ['store', 'here it is called "shops"'],
    ] as const) {
      expect(await refuse('listing_publish', { listing_pk, state: 'active', [key]: 1 })).toEqual([
        `${key}: is unknown; ${said}`,
      ]);
    }
    expect((await service.control<State>('GET', '/state')).listings).toEqual(listings);
  });

  it('a saved draft with misplaced keys cannot be paid for', async () => {
    const { listing, ...rest } = buildRequest();
    const { listing_pk } = await ask('listing_create', {
      ...rest,
      listing: { ...listing, variations: {}, campaign: 'autumn' },
      status: 'active',
      shop: [1],
    });
    const { fees } = await service.control<State>('GET', '/state');
    expect(await refuse('listing_publish', { listing_pk, state: 'active' })).toEqual([
      'listing.variations: is an unknown key in the saved listing; it belongs next to "listing", as "variations". Correct it with listing_update before you pay the fee: set this key to null, and set the correct key to its value',
      'shop: is an unknown key in the saved listing; did you mean "shops"? Correct it with listing_update before you pay the fee: set this key to null, and set the correct key to its value',
    ]);
    expect((await service.control<State>('GET', '/state')).fees).toEqual(fees);
    expect(await ask('listing_publish', { listing_pk, state: 'publish' })).toMatchObject({
      status: 'completed',
      results: [{ status: 'ok' }],
    });
  });

  it('too many unknown keys are reported in one line', async () => {
    // Over MCP the message itself is refused, before it reaches an operation.
    const refused = await face
      .call('listing_create', many(20_000))
      .catch((error: unknown) => (error instanceof Error ? error.message : ''));
    expect(JSON.stringify(refused)).toContain('more than 1,000 keys');
    const { listing, ...rest } = buildRequest();
    const draft = await ask('listing_create', { ...rest, listing: { ...listing, ...many(500) } });
    const last = {
      code: 'unknown_field',
      level: 'warning',
      fields: [],
      reason: '300 more unknown keys were ignored.',
    };
    const isWhole = name === 'REST';
    expect(isWhole ? [draft.warnings?.at(-1), listUnknown(draft).length] : []).toEqual(
      isWhole ? [last, 200] : [],
    );
    // Over MCP, a long answer is shortened and says so.
    expect(typeof draft['shortened']).toBe(isWhole ? 'undefined' : 'string');
    const live = { ...rest, state: 'publish', listing: { ...listing, ...many(500) } };
    expect(await refuse('listing_create', live)).toEqual([
      'The request has 300 more unknown keys after the first 200, too many to check; remove all unknown keys',
    ]);
  });

  it('null in any optional field counts as missing', async () => {
    const { listing, shops, images } = buildRequest();
    const [shop = {}] = shops;
    const draft = await ask('listing_create', {
      state: null,
      shops: [{ ...shop, price: null, processing_profile_id: null, production_partner_ids: null }],
      listing: { ...listing, sku: null, is_taxable: null, tags: null, should_auto_renew: null },
      images: images.map((one) => ({ ...one, rank: null })),
      digital_files: null,
      videos: null,
      personalization: { enabled: null, instructions: null },
      category_attributes: { 357: null },
      variations: { properties: null, offerings: null, variation_images: null },
      idempotency_key: null,
      dry_run: null,
    });
    expect(draft).toMatchObject({ status: 'draft' });
    expect(listUnknown(draft)).toEqual([]);
    const { request } = await ask('listing_get', { listing_pk: draft['listing_pk'] });
    expect(request).toEqual({
      shops: [shop],
      listing: { ...listing, tags: null },
      images,
      personalization: {},
      category_attributes: {},
      variations: {},
    });
    const set = { url: `${url}/healthz`, events: null, rotate_secret: null };
    expect(await ask('webhook_endpoint_set', set)).toMatchObject({ enabled: true });
  });
});

it('null in a query counts as missing over MCP', async () => {
  const face = await openMcpHttp(url, key);
  // A search with few results, because long pages are shortened over MCP.
  const search = await face.call('listings_search', { keywords: 'walnut', limit: null, offset: null });
  expect(search).toMatchObject({ ok: true, output: { limit: 25, offset: 0 } });
  const deliveries = await face.call('webhooks_deliveries', { id: null, status: null });
  expect(deliveries).toMatchObject({ ok: true, output: { success: true } });
  await face.close();
});

const send = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'x-service-api-key': key,
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Output };
};

describe('over REST only', () => {
  it('a query string in addition to a body is refused', async () => {
    const { fees } = await service.control<State>('GET', '/state');
    const request = buildRequest({ state: 'active' });
    expect(await send('POST', '/listings/create?dry_run=true', request)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_FAILED',
          message: 'dry_run: is in the query string; send all input of this operation in the body',
        },
      },
    });
    expect((await service.control<State>('GET', '/state')).fees).toEqual(fees);
  });

  it('a duplicate key is refused, because one of the two would be dropped', async () => {
    const { fees } = await service.control<State>('GET', '/state');
    const body = JSON.stringify(buildRequest({ state: 'active', dry_run: true }));
    const answer = await fetch(`${url}/api/v1/listings/create`, {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: body.replace(/\}$/, ',"dry_run":false}'),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'INVALID_JSON',
          message: 'An object in the body has the same key twice; send each key once.',
        },
      },
    ]);
    expect((await service.control<State>('GET', '/state')).fees).toEqual(fees);
  });

  it('keys of a body that the operation does not read are reported', async () => {
    await send('PUT', '/webhooks/endpoint', { url: `${url}/healthz` });
    const { status, body } = await send('POST', '/webhooks/test', { url: 'https://elsewhere.example' });
    expect([status, body['warnings']]).toEqual([
      200,
      [
        {
          code: 'unknown_field',
          level: 'warning',
          fields: ['url'],
          reason: '"url" is an unknown key and was ignored.',
        },
      ],
    ]);
  });

  it("unknown form fields are reported, and the form's filename is the one that is kept", async () => {
    const form = new FormData();
    form.set('file', new Blob([Buffer.from(PNG, 'base64')]), 'a.png');
    form.set('filename', 'mug.png');
    form.set('alt_text', 'A mug');
    expect(await send('POST', '/uploads', form)).toMatchObject({
      status: 200,
      body: { filename: 'mug.png', warnings: [{ code: 'unknown_field', fields: ['alt_text'] }] },
    });
    form.set('path', '/tmp/a.png');
    expect(await send('POST', '/uploads', form)).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringMatching(/^path: cannot be sent with the file itself/) as string },
      },
    });
  });

  it.each(['GET', 'PUT', 'DELETE'])(
    'the answer to %s /listings/create names the existing routes',
    async (method) => {
      expect(await send(method, '/listings/create')).toMatchObject({
        status: 404,
        body: {
          error: {
            code: 'NOT_FOUND',
            message: `There is no ${method} /api/v1/listings/create. Use POST /api/v1/listings/create, or GET /api/v1/listings/create/{job_id}.`,
          },
        },
      });
    },
  );
});
