import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildMug, fixturePath, listTargets, upload } from '../service.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let visitor: Visitor;
let targets: Awaited<ReturnType<typeof listTargets>>;
let image: string;

beforeAll(async () => {
  dashboard = await startDashboard();
  visitor = await dashboard.signIn();
  targets = await listTargets(dashboard.service);
  image = await upload(dashboard.service, 'mug-front.jpg');
});
afterAll(() => dashboard.close());

type Made = { listing_pk: number; dashboard_url: string };

/** A test's dashboard listens at another address than its settings say. */
function withPath(made: Made): Made {
  return { ...made, dashboard_url: new URL(made.dashboard_url, 'http://anywhere.test').pathname };
}

const create = async (more: Record<string, unknown> = {}) =>
  withPath(
    await dashboard.service.call<Made>('listing_create', {
      ...buildMug(targets, { images: [{ url: image }], ...more }),
      idempotency_key: crypto.randomUUID(),
    }),
  );
const getListing = (listing_pk: number) =>
  dashboard.service.call<{ status: string; results: { error?: string }[] }>('listing_get', { listing_pk });
const strike = (...rules: object[]) => dashboard.service.control('POST', '/faults', { rules });

async function countThere(): Promise<number> {
  const { listings } = await dashboard.service.control<{ listings: unknown[] }>('GET', '/state');
  return listings.length;
}

/** Names of operations and fields, paths into a request, and status codes do not belong on a page. */
const JARGON = /\b[a-z]+_[a-z_]+\b|\[\d+\]|answered \d{3}|HTTP \d{3}/;

describe('the page of a listing', () => {
  it('is at dashboard_url, and shows the listing as buyers would see it', async () => {
    const { dashboard_url } = await create({
      personalization: { enabled: true, is_required: true, instructions: 'Which name?', max_chars: 12 },
      variations: {
        properties: [{ property_id: 513, name: 'Size', values: ['Small', 'Large'] }],
        offerings: [{ size: 'Small', price: 19, quantity: 3, sku: 'S-1' }],
      },
    });
    const { status, text } = await visitor.get(dashboard_url);
    expect(status).toBe(200);
    const words = toText(text);
    expect(words).toContain('Stoneware mug Saved here Nothing is on Etsy yet.');
    expect(words).toContain('19.00 USD · 19.00 EUR Description A mug.');
    expect(words).toContain('Size Price In stock SKU Small 19.00 USD · 19.00 EUR 3 S-1');
    expect(words).toContain('One more variation is not offered, and hidden from buyers.');
    expect(words).toContain('Which name? Required, at most 12 characters.');
    expect(words).toMatch(/Category [A-Z][\w &;,]+ > /);
    expect(words).toContain('ClayAndOak Not there yet');
    expect(words).toContain('NordLinen Not there yet');
    expect(words).toContain(
      'Costs $0.40: $0.20 for each of 2 shops. The next page asks before anything is paid.',
    );
  });

  it('shows its photos small, in the order of their ranks', async () => {
    const { listing_pk, dashboard_url } = await create({
      images: [
        { url: await upload(dashboard.service, 'mug-side.jpg'), rank: 2 },
        { url: image, rank: 1 },
      ],
    });
    const { text } = await visitor.get(dashboard_url);
    const places = [...text.matchAll(/photos\/(\d+)\/\d+\?made=\d+" alt="(Photo \d of \d)"/g)];
    expect(places.map(([, place, alt]) => [place, alt])).toEqual([
      ['1', 'Photo 1 of 2'],
      ['0', 'Photo 2 of 2'],
    ]);
    const photo = await visitor.get(`/dashboard/listings/${listing_pk}/photos/1/160`);
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(photo.headers.get('cache-control')).toBe('private, max-age=86400');
    const first = await visitor.get(`/dashboard/listings/${listing_pk}/photos/first/160`);
    expect(first.text).toBe(photo.text);
    expect((await visitor.get('/dashboard/listings')).text).toContain(`${listing_pk}/photos/first/160?made=`);
    const missing = await visitor.get(`/dashboard/listings/${listing_pk}/photos/7/160`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const odd = await visitor.get(`/dashboard/listings/${listing_pk}/photos/1/161`);
    expect(odd.headers.get('content-type')).toBe('image/svg+xml');
  });

  it('shows hostile text as text', async () => {
    const { dashboard_url } = await create({
      listing: {
        ...buildMug(targets).listing,
        description: '&lt;script&gt;alert(1)&lt;/script&gt; 5 < 6, "quoted" & <3\u202egnp.exe',
        tags: ['mug'],
      },
    });
    const { text } = await visitor.get(dashboard_url);
    expect(text).toContain('&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;');
    expect(text).toContain(
      '5 &lt; 6, &quot;quoted&quot; &amp; &lt;3<span class="unseen">U+202E</span>gnp.exe',
    );
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/)/);
  });

  it.each([
    '/dashboard/listings/999999',
    '/dashboard/listings/0',
    '/dashboard/listings/one',
    '/dashboard/listings/1e3',
  ])('is not found for an invalid listing: %s', async (path) => {
    expect((await visitor.get(path)).status).toBe(404);
  });

  it('of another account is not found, nor are its photos, and offers no action', async () => {
    const { listing_pk, dashboard_url } = await create();
    const { core, store } = dashboard.service.app;
    const other = await store.accounts.createAccount(`other ${listing_pk}`);
    const { token } = await core.sessions.createLink(other?.account_id ?? '');
    const stranger = dashboard.createVisitor();
    await stranger.post('/dashboard/sign-in', { link: token });
    await stranger.get('/dashboard');
    for (const path of ['', '/put-live', '/delete', '/events']) {
      expect((await stranger.get(dashboard_url + path)).status).toBe(404);
    }
    for (const path of ['/publish', '/put-live', '/delete']) {
      expect((await stranger.post(dashboard_url + path, { sum: '0.40' })).status).toBe(404);
    }
    const photo = await stranger.get(`${dashboard_url}/photos/0/160`);
    expect(photo.headers.get('content-type')).toBe('image/svg+xml');
    expect((await stranger.get('/dashboard/listings')).text).not.toContain(`listings/${listing_pk}`);
    expect((await getListing(listing_pk)).status).toBe('draft');
  });
});

describe("publishing on a listing's page", () => {
  it('returns to the page, which finally shows the result in each shop', async () => {
    const { listing_pk, dashboard_url } = await create();
    const { status, location } = await visitor.post(`${dashboard_url}/publish`);
    expect([status, location]).toEqual([303, dashboard_url]);
    await expect.poll(async () => (await getListing(listing_pk)).status).toBe('published');
    const words = toText((await visitor.get(dashboard_url)).text);
    expect(words).toContain('Draft on Etsy');
    expect(words).toContain(
      'ClayAndOak Draft on Etsy Checked just now. 24.50 USD View it on the marketplace',
    );
    expect(words).toContain('Photos sent in ClayAndOak , NordLinen');
    expect(words).not.toContain('Save as draft on Etsy');
  });

  it('offers no fee for a listing without photos, says so next to the button, and accepts photos', async () => {
    const { dashboard_url, listing_pk } = await create({ images: undefined });
    const page = await visitor.get(dashboard_url);
    expect(page.text).toContain('disabled');
    expect(page.text).toContain(`href="${dashboard_url}/add-photos"`);
    expect(page.text).not.toContain(`href="${dashboard_url}/put-live"`);
    const words = toText(page.text);
    expect(words).toContain('It has no photos. Add at least one before you publish it. Add photos');
    const asked = await visitor.get(`${dashboard_url}/put-live`);
    expect(toText(asked.text)).toContain('It cannot be published yet');
    expect(asked.text).not.toContain('USD</button>');
    const forced = await visitor.post(`${dashboard_url}/put-live`, { sum: '0.40' });
    expect(forced.status).toBe(400);
    expect((await getListing(listing_pk)).status).toBe('draft');

    const form = new FormData();
    form.set('csrf_token', visitor.getToken());
    form.set('file', new Blob([await readFile(fixturePath('mug-front.jpg'))]), 'mug-front.jpg');
    const added = await visitor.postForm(`${dashboard_url}/add-photos`, form);
    expect([added.status, added.location]).toEqual([303, `${dashboard_url}/add-photos`]);
    expect(toText((await visitor.get(`${dashboard_url}/add-photos`)).text)).toContain('1 of 10 so far.');
    expect(toText((await visitor.get(`${dashboard_url}/put-live`)).text)).toContain('Publish for $0.40');
  });

  it('accepts further photos for a listing in shops, and says that they are sent immediately', async () => {
    const { dashboard_url, listing_pk } = await create({ state: 'publish' });
    expect((await visitor.get(dashboard_url)).text).toContain(`href="${dashboard_url}/add-photos"`);
    const asked = await visitor.get(`${dashboard_url}/add-photos`);
    expect(toText(asked.text)).toContain('is added to the listing in all its shops at once');
    const form = new FormData();
    form.set('csrf_token', visitor.getToken());
    form.set('file', new Blob([await readFile(fixturePath('mug-side.jpg'))]), 'mug-side.jpg');
    await visitor.postForm(`${dashboard_url}/add-photos`, form);
    const look = () =>
      dashboard.service.call<{ request: { images: object[] } }>('listing_get', { listing_pk });
    await expect.poll(async () => (await look()).request.images.length).toBe(2);
    await expect.poll(async () => (await visitor.get(dashboard_url)).text).not.toContain('data-live');
    const { text } = await visitor.get(dashboard_url);
    expect(toText(text)).toMatch(/Finished .* Edit started/);
    const [, change = ''] = /<a href="([^"]+)">Edit started: photos</.exec(text) ?? [];
    expect(toText((await visitor.get(change)).text)).toContain('Photos');
  });

  it("reports refusals before it asks for money, in a seller's words", async () => {
    const { dashboard_url } = await create({ images: [{ url: 'http://127.0.0.1:9/mug.jpg' }] });
    const asked = await visitor.get(`${dashboard_url}/put-live`);
    const words = toText(asked.text);
    expect(words).toContain('It cannot be published yet');
    expect(words).toMatch(/Photo 1: /);
    expect(words).not.toMatch(JARGON);
    expect(asked.text).not.toContain('USD</button>');
  });

  it('gives up a failed listing: removed from the lists, with its leftovers on the marketplace named and linked', async () => {
    const refusal = { type: 'status', status: 400, body: { error: 'Too large.' } };
    await strike({ operation: 'uploadListingImage', times: 20, action: refusal });
    const title = `Given up ${crypto.randomUUID()}`;
    const { listing } = buildMug(targets);
    const { listing_pk, dashboard_url } = await create({ state: 'active', listing: { ...listing, title } });
    await dashboard.service.control('DELETE', '/faults');
    const failed = toText((await visitor.get(dashboard_url)).text);
    expect(failed).toContain('Unfinished Done in 0 of 2 shops.');
    expect(failed).not.toMatch(JARGON);
    expect(toText((await visitor.get('/dashboard')).text)).toContain(`${title}: unfinished`);

    const asked = await visitor.get(`${dashboard_url}/give-up`);
    expect(toText(asked.text)).toMatch(/ClayAndOak :\s+draft \d+/);
    expect(asked.text).toMatch(/href="http[^"]+\/listing\/\d+[^"]*" rel="noreferrer/);
    const there = await countThere();
    const given = await visitor.post(`${dashboard_url}/give-up`);
    expect([given.status, given.location]).toEqual([303, dashboard_url]);
    expect((await getListing(listing_pk)).status).toBe('given_up');
    expect(await countThere()).toBe(there);
    expect((await visitor.get('/dashboard')).text).not.toContain(title);
    expect((await visitor.get('/dashboard/listings')).text).not.toContain(title);
    expect((await visitor.get('/dashboard/listings?is=given_up')).text).toContain(title);
    const kept = toText((await visitor.get(dashboard_url)).text);
    expect(kept).toContain('Abandoned It stays unchanged, and is not in your lists.');
    expect(kept).toContain('Finish and publish…');
    expect(kept).toContain('These drafts stay on Etsy until you delete them there');

    const [, left] = /ClayAndOak :\s+draft (\d+)/.exec(kept) ?? [];
    await dashboard.service.control('POST', `/listings/${left}/edit`, { state: 'inactive' });
    const again = await visitor.post(`${dashboard_url}/give-up`);
    expect(again.status).toBe(400);
    const changed = toText((await visitor.get(dashboard_url)).text);
    expect(changed).toMatch(/ClayAndOak :\s+listing \d+, inactive/);
    expect(changed).not.toContain('These drafts');
    await dashboard.service.call('listing_publish', { listing_pk, state: 'publish' });
    expect((await getListing(listing_pk)).status).toBe('published');
  });

  it('shows that the files are being checked, however long that takes', async () => {
    let answerPhoto: (() => void) | undefined;
    const isAsked = new Promise<void>((tell) => {
      answerPhoto = tell;
    });
    const photo = await readFile(fixturePath('mug-front.jpg'));
    const server = createServer((_request, response) => {
      void isAsked.then(() => response.setHeader('content-type', 'image/jpeg').end(photo));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { listing_pk, dashboard_url } = await create({
      images: [{ url: `http://127.0.0.1:${port}/mug.jpg` }],
    });
    await visitor.post(`${dashboard_url}/publish`);
    const page = await visitor.get(dashboard_url);
    expect(toText(page.text)).toContain('The listing and its files are being checked.');
    expect(page.text).toContain('data-live');
    expect(toText(page.text)).not.toContain('What next?');
    answerPhoto?.();
    await expect.poll(async () => (await getListing(listing_pk)).status).toBe('published');
    server.close();
  });

  it('finishes a failed listing, and does nothing twice', async () => {
    const refusal = { type: 'status', status: 400, body: { error: 'Not <b>today</b>.' } };
    await strike({ operation: 'createDraftListing', shop_id: targets[1]?.shop_id, action: refusal });
    const { listing_pk, dashboard_url } = await create({ state: 'publish' });
    const there = await countThere();
    const failed = await visitor.get(dashboard_url);
    expect(toText(failed.text)).toContain('NordLinen Failed 24.50 EUR It stopped while making the draft.');
    expect(toText(failed.text)).toContain('Unfinished Done in 1 of 2 shops.');
    expect(failed.text).toContain('Not &lt;b>today&lt;/b>.');
    expect(toText(failed.text)).toContain('Finish what failed');
    await visitor.post(`${dashboard_url}/publish`);
    await expect.poll(async () => (await getListing(listing_pk)).status).toBe('published');
    expect(await countThere()).toBe(there + 1);
    expect(toText((await visitor.get(dashboard_url)).text)).not.toContain('It stopped');
  });
});

describe('a change in progress', () => {
  it('is shown shop by shop, even if an assistant requested it, and appears in the history as such', async () => {
    const { listing_pk, dashboard_url } = await create({ state: 'publish' });
    await strike({
      operation: 'updateListing',
      shop_id: targets[1]?.shop_id,
      times: 1,
      action: { type: 'slow', ms: 3_000 },
    });
    const changes = { listing: { description: 'Another mug.' } };
    await dashboard.service.invoke('listing_update', { listing_pk, changes }, { wait_ms: 1 });
    const page = await visitor.get(dashboard_url);
    expect(page.text).toContain('data-live');
    const words = toText(page.text);
    expect(words).toMatch(/It is being changed: \d of 2 shops done\./);
    expect(words).toContain('NordLinen being changed');
    expect(words).not.toContain('What next?');
    await expect
      .poll(async () => (await visitor.get(dashboard_url)).text, { timeout: 10_000 })
      .not.toContain('data-live');
    expect(toText((await visitor.get(dashboard_url)).text)).toContain('Finished');
    expect(toText((await visitor.get(dashboard_url)).text)).toContain('Edit started');
  });
});

describe("publishing for a fee on a listing's page", () => {
  it('asks again with the total and the shops, and spends only the confirmed amount', async () => {
    const { listing_pk, dashboard_url } = await create();
    const question = toText((await visitor.get(`${dashboard_url}/put-live`)).text);
    expect(question).toContain('ClayAndOak $0.20 NordLinen $0.20 Total $0.40');
    const shops = targets.map(({ shop_id }) => shop_id).join();
    const other = await visitor.post(`${dashboard_url}/put-live`, { sum: '0.20', shops });
    expect(other.status).toBe(400);
    expect(toText(other.text)).toContain('Check the total again.');
    expect((await getListing(listing_pk)).status).toBe('draft');

    await visitor.post(`${dashboard_url}/put-live`, { sum: '0.40', shops });
    await expect.poll(async () => (await getListing(listing_pk)).status).toBe('active');
    const words = toText((await visitor.get(dashboard_url)).text);
    expect(words).toContain('Active Buyers can see and order it. Checked just now.');
    expect(words).toContain('ClayAndOak Active Checked just now. Expires ');
    expect(words).toContain('Fee paid: $0.20');
    expect(words).not.toContain('Publish…');
    const again = await visitor.get(`${dashboard_url}/put-live`);
    expect([again.status, again.location]).toEqual([303, dashboard_url]);
  });
});

/** The confirmed amounts that the payment page submits for these shops. */
const buildForm = (ids: string[], cost = '0.00') =>
  ids.map((id) => ['shop', `${id}:${cost}`]) as [string, string][];

describe("deactivating and reactivating on a listing's page", () => {
  it("asks again with each shop's cost, and shows the result", async () => {
    const { listing_pk, dashboard_url } = await create({ state: 'active' });
    const shop_ids = targets.map(({ shop_id }) => String(shop_id));
    expect(toText((await visitor.get(dashboard_url)).text)).toContain('Deactivate…');
    const asked = toText((await visitor.get(`${dashboard_url}/off-sale`)).text);
    expect(asked).toContain('ClayAndOak Active Free NordLinen Active Free');
    const { status, location } = await visitor.post(
      `${dashboard_url}/off-sale`,
      buildForm(shop_ids.slice(0, 1)),
    );
    expect([status, location]).toEqual([303, `${dashboard_url}?done=deactivated`]);
    const part = toText((await visitor.get(location)).text);
    expect(part).toContain('Deactivated.');
    expect(part).toContain('Active in 1 of 2 shops');
    expect(part).toContain('ClayAndOak Inactive Checked just now.');
    const other = await visitor.get(`${dashboard_url}?done=upload_deleted`);
    expect(other.text).not.toContain('Upload deleted.');
    const offered = toText((await visitor.get(`${dashboard_url}/back-on-sale`)).text);
    expect(offered).toMatch(/ClayAndOak Inactive Free until .* UTC/);
    expect(offered).not.toContain('if all shops are selected');
    expect(toText((await visitor.get('/dashboard/listings')).text)).toContain(
      'Active in 1 of 2 shops checked just now',
    );

    const { results } = await dashboard.service.call<{ results: { shop_id: string; listing_id: number }[] }>(
      'listing_get',
      { listing_pk },
    );
    const listing_ids = results
      .filter(({ shop_id }) => shop_id === shop_ids[0])
      .map(({ listing_id }) => listing_id);
    const advance_ms = 121 * 24 * 60 * 60_000;
    await dashboard.service.control('POST', '/clock', { advance_ms, listing_ids });
    const again = toText((await visitor.get(`${dashboard_url}/back-on-sale`)).text);
    expect(again).toContain('Activate for $0.20');
    const cheap = await visitor.post(`${dashboard_url}/back-on-sale`, buildForm(shop_ids.slice(0, 1)));
    expect(cheap.status).toBe(400);
    expect(toText(cheap.text)).toContain('Check the total again.');
    await visitor.post(`${dashboard_url}/back-on-sale`, buildForm(shop_ids.slice(0, 1), '0.20'));
    expect(toText((await visitor.get(dashboard_url)).text)).toContain('Active Buyers can see and order it.');
  });

  it('shows a refusal on its page, and asks for the stock of a sold-out listing', async () => {
    const { listing_pk, dashboard_url } = await create({ state: 'active', shops: targets.slice(0, 1) });
    const { results } = await dashboard.service.call<{ results: { listing_id: number }[] }>('listing_get', {
      listing_pk,
    });
    const path = `/listings/${results[0]?.listing_id}/edit`;
    await dashboard.service.control('POST', path, { state: 'sold_out' });
    const shop_id = String(targets[0]?.shop_id);
    await dashboard.service.call('listing_publish', { listing_pk, state: 'inactive' });
    const page = await visitor.get(`${dashboard_url}/back-on-sale`);
    expect(toText(page.text)).toContain('Stock of each variation in sold-out shops');
    const without = await visitor.post(`${dashboard_url}/back-on-sale`, {
      shop: `${shop_id}:0.20`,
      stock: '0',
    });
    expect(without.status).toBe(400);
    expect(toText(without.text)).toContain('Stock: This must be at least 1');
    await visitor.post(`${dashboard_url}/back-on-sale`, { shop: `${shop_id}:0.20`, stock: '3' });
    expect(toText((await visitor.get(dashboard_url)).text)).toContain('ClayAndOak Active Checked just now.');
  });
});

describe('reactivating if shops differ', () => {
  it('allows any choice of shops for the costs shown next to them, and keeps the input', async () => {
    const { listing_pk, dashboard_url } = await create({ state: 'active' });
    const { results } = await dashboard.service.call<{ results: { listing_id: number }[] }>('listing_get', {
      listing_pk,
    });
    const [clay, linen] = targets.map(({ shop_id }) => String(shop_id));
    await dashboard.service.control('POST', `/listings/${results[1]?.listing_id}/edit`, {
      state: 'sold_out',
    });
    await dashboard.service.call('listing_publish', { listing_pk, state: 'inactive' });
    const path = `${dashboard_url}/back-on-sale`;
    const asked = await visitor.get(path);
    expect(asked.text).toContain(`value="${clay}:0.00"`);
    expect(asked.text).toContain(`value="${linen}:0.20"`);

    const none = await visitor.post(path, { stock: '7' });
    expect(none.status).toBe(400);
    expect(toText(none.text)).toContain('No shop is selected. Select at least one.');
    expect(none.text).toContain('name="stock" min="1" max="999" value="7"');
    expect(toText(none.text)).toContain('NordLinen Sold out $0.20');

    const without = await visitor.post(path, { shop: `${linen}:0.20`, stock: '' });
    expect([without.status, toText(without.text)]).toEqual([
      400,
      expect.stringContaining('Stock: This must be'),
    ]);

    const { status, location } = await visitor.post(path, { shop: `${clay}:0.00`, stock: '' });
    expect([status, location]).toEqual([303, `${dashboard_url}?done=activated`]);
    const words = toText((await visitor.get(dashboard_url)).text);
    expect(words).toContain('ClayAndOak Active');
    expect(words).toContain('NordLinen Sold out');
  });
});

describe('deleting a draft on its page', () => {
  it('asks again, and then deletes the draft', async () => {
    const { dashboard_url } = await create();
    expect(toText((await visitor.get(`${dashboard_url}/delete`)).text)).toContain('Delete this draft?');
    const { location } = await visitor.post(`${dashboard_url}/delete`);
    expect(toText((await visitor.get(location)).text)).toContain('Draft deleted.');
    expect((await visitor.get(dashboard_url)).status).toBe(404);
  });

  it('is not offered for a listing on the marketplace', async () => {
    const { dashboard_url } = await create({ state: 'publish' });
    expect((await visitor.get(`${dashboard_url}/delete`)).location).toBe(dashboard_url);
    const { status, text } = await visitor.post(`${dashboard_url}/delete`);
    expect(status).toBe(400);
    expect(toText(text)).toContain('is on Etsy');
  });
});

describe('the progress of a job', () => {
  it('is reported until the job has finished', async () => {
    await strike({ operation: 'uploadListingImage', times: 2, action: { type: 'slow', ms: 1500 } });
    const { dashboard_url, listing_pk } = await create();
    await visitor.post(`${dashboard_url}/publish`);
    const page = await visitor.get(dashboard_url);
    expect(page.text).toContain(`data-live="${dashboard_url}/events"`);
    expect(page.text).toContain('<noscript><meta http-equiv="refresh" content="3"/></noscript>');

    const { text, headers } = await visitor.get(`${dashboard_url}/events`);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = text.trim().split('\n\n');
    expect(events.at(-1)).toBe('event: end\ndata:');
    const parts = events
      .slice(0, -1)
      .map((event) => JSON.parse(event.split('data: ')[1] ?? '') as { html: string });
    expect(parts.length).toBeGreaterThan(0);
    expect(parts[0]?.html).toContain('sending photos (0 of 1)');
    expect((await getListing(listing_pk)).status).toBe('published');
    expect((await visitor.get(dashboard_url)).text).not.toContain('data-live');
  });

  it('is answered with a single event if the session follows too many pages at a time', async () => {
    await strike({ operation: 'createDraftListing', times: 1, action: { type: 'slow', ms: 4000 } });
    const { dashboard_url } = await create();
    await visitor.post(`${dashboard_url}/publish`);
    const href = `${dashboard.url}${dashboard_url}/events`;
    const leaving = new AbortController();
    const follow = () => fetch(href, { headers: { cookie: visitor.getCookie() }, signal: leaving.signal });
    const followed = await Promise.all(Array.from({ length: 24 }, follow));
    const { text } = await visitor.get(`${dashboard_url}/events`);
    expect(text).toMatch(/^event: part\ndata: .*\n\n$/);
    leaving.abort();
    expect(followed.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
    await expect
      .poll(async () => (await visitor.get(`${dashboard_url}/events`)).text, { timeout: 20_000 })
      .toMatch(/event: end\ndata:/);
  });

  it('does not keep the server from stopping', async () => {
    const own = await startDashboard();
    const someone = await own.signIn();
    const [target] = await listTargets(own.service);
    await own.service.control('POST', '/faults', {
      rules: [{ operation: 'createDraftListing', action: { type: 'slow', ms: 3000 } }],
    });
    const { dashboard_url } = withPath(
      await own.service.call<Made>('listing_create', buildMug([target ?? {}], { state: 'publish' }), {
        wait_ms: 1,
      }),
    );
    const following = someone.get(`${dashboard_url}/events`);
    await expect.poll(async () => (await someone.get(dashboard_url)).text).toContain('data-live');
    await own.close();
    expect((await following).text).not.toContain('event: end');
  });
});

describe('the lists of listings', () => {
  it('say what to do if they are empty', async () => {
    const own = await startDashboard();
    const someone = await own.signIn();
    for (const path of ['/dashboard', '/dashboard/listings']) {
      expect(toText((await someone.get(path)).text)).toContain('No listings yet Make a new listing');
    }
    await own.close();
  });

  it('show the listings in the requested state, page by page', async () => {
    const own = await startDashboard();
    const someone = await own.signIn();
    const [target] = await listTargets(own.service);
    for (let count = 1; count <= 26; count += 1) {
      const { listing } = buildMug([]);
      const body = { ...buildMug([target ?? {}]), listing: { ...listing, title: `Mug number ${count}` } };
      await own.service.call('listing_create', body);
    }
    const first = await someone.get('/dashboard/listings?status=draft');
    expect(first.text.match(/class="listing-item"/g)).toHaveLength(24);
    expect(toText(first.text)).toContain('1 to 24 of 26');
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&');
    const second = await someone.get(next ?? '');
    expect(second.text.match(/class="listing-item"/g)).toHaveLength(2);
    const past = await someone.get('/dashboard/listings?offset=1000');
    expect(toText(past.text)).toContain('The list ends before this page. To its last page');
    expect(past.text).toContain('href="/dashboard/listings?offset=24"');
    expect(toText((await someone.get('/dashboard/listings?status=active')).text)).toContain(
      'No listings found',
    );
    expect((await someone.get('/dashboard/listings?status=odd&offset=-1')).status).toBe(200);
    await own.close();
  });
});

it('the page Today shows counts, and the page Settings shows webhooks and limits', async () => {
  const today = toText((await visitor.get('/dashboard')).text);
  expect(today).toMatch(/\d+ Saved here \d+ In progress \d+ Draft on Etsy \d+ Active /);
  const { text } = await visitor.get('/dashboard/settings');
  const words = toText(text);
  expect(words).toContain('Webhooks Not set up');
  // The bar has what is left, as the number above it.
  const [, left = ''] = /Calls left today ([\d,]+) of/.exec(words) ?? [];
  expect(text).toContain(
    `<progress aria-label="Calls left today" value="${left.replaceAll(',', '')}" max="10000000"`,
  );
  expect(words).toMatch(/Calls left today [\d,]+ of 10,000,000/);
});
