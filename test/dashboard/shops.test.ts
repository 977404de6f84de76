import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeAge } from '../../src/dashboard/components/age.js';
import { openConsentPage } from '../consent.js';
import { CLAY, NORD } from '../sandbox/harness.js';
import { startDashboard, toText, type TestDashboard, type Visitor } from './visitor.js';

let dashboard: TestDashboard;
let visitor: Visitor;
beforeAll(async () => {
  dashboard = await startDashboard();
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

const clay = () => `/dashboard/shops/${CLAY.shop_id}`;
const control = (path: string, body: object) => dashboard.service.control('POST', path, body);

/** As a browser goes: through the intermediate page to the marketplace, and back with its cookies. */
async function connect(owner: number, fields: Record<string, string> = {}) {
  const onTheWay = await visitor.post('/dashboard/shops/connect', fields);
  const consent_url = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(onTheWay.text)?.[1] ?? '';
  const cookie = onTheWay.headers.get('set-cookie') ?? '';
  const page = await openConsentPage(consent_url.replaceAll('&amp;', '&'));
  const { pathname, search } = new URL(await page.submit({ user_id: owner }));
  return { path: pathname + search, cookie };
}

describe('the list of shops', () => {
  it('shows the shops and the stored details of each', async () => {
    await dashboard.service.call('store_sync', { shop_id: CLAY.shop_id });
    const words = toText((await visitor.get('/dashboard/shops')).text);
    expect(words).toMatch(/ClayAndOak Connected USD · 0 active listings here · \d shipping profiles/);
    expect(words).toMatch(/NordLinen Connected EUR/);
    expect(words).toMatch(/Synced just now \( \d+ \w+ \d{4}, \d\d:\d\d UTC \)/);
  });
});

it("counts a shop's active listings as the page Today and the list of listings do, before and after a sync", async () => {
  const own = await startDashboard();
  const seller = await own.signIn();
  const { listing_ids } = await own.service.control<{ listing_ids: number[] }>('POST', '/listings', {
    shop_id: CLAY.shop_id,
    count: 3,
  });
  await own.service.call('listing_import', { shop_id: CLAY.shop_id, listing_ids });
  const see = async (path: string) => toText((await seller.get(path)).text);
  expect(await see('/dashboard')).toContain('3 Active');
  for (const _ of ['imported', 'synced']) {
    expect(await see('/dashboard/shops')).toContain('ClayAndOak Connected USD · 3 active listings here');
    expect(await see('/dashboard/shops')).toContain('NordLinen Connected EUR · 0 active listings here');
    const shop = await seller.get(clay());
    expect(toText(shop.text)).toContain('Active here 3 listings');
    expect(toText(shop.text).match(/Active here/g)).toHaveLength(1);
    const [, href = ''] = /href="([^"]+)">3 listings</.exec(shop.text) ?? [];
    expect(await see(href.replaceAll('&amp;', '&'))).toContain('3 listings Show all');
    await seller.post(`${clay()}/sync`);
  }
  await own.close();
});

describe('the page of a shop', () => {
  it('shows every stored list without a call to the marketplace', async () => {
    const countCalls = async () =>
      (await dashboard.service.control<{ calls: Record<string, number> }>('GET', '/state')).calls;
    const before = await countCalls();
    const words = toText((await visitor.get(clay())).text);
    expect(await countCalls()).toEqual(before);
    const { details, lists } = await dashboard.service.app.core.shops.get({
      account_id: dashboard.account_id,
      shop_id: CLAY.shop_id,
    });
    const names = [
      ...lists.shipping_profiles.map(({ title }) => title),
      ...lists.processing_profiles.map((profile) => profile.processing_days_display_label),
      ...lists.shop_sections.map(({ title }) => title.replace('&', '&amp;')),
      ...lists.production_partners.flatMap((partner) => [partner.partner_name, partner.location]),
    ];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !words.includes(name))).toEqual([]);
    expect(words).toContain('Return policies Policy Returns and exchanges within 30 days');
    // If there is a name, no id is shown.
    const ids = [
      details.shop_id,
      ...lists.shipping_profiles.map((profile) => profile.shipping_profile_id),
      ...lists.shop_sections.map((section) => section.shop_section_id),
    ];
    expect(ids.filter((id) => words.includes(String(id)))).toEqual([]);
  });

  it('is read again on request', async () => {
    const { shops } = dashboard.service.app.core;
    const shop = { account_id: dashboard.account_id, shop_id: CLAY.shop_id };
    const { last_synced_at } = await shops.get(shop);
    const { status, location } = await visitor.post(`${clay()}/sync`);
    expect([status, location]).toEqual([303, clay()]);
    expect((await shops.get(shop)).last_synced_at > last_synced_at).toBe(true);
  });

  it("shows the marketplace's answer if that fails", async () => {
    await control('/faults', {
      rules: [{ operation: 'getShop', action: { type: 'status', status: 400, body: { error: 'No <b>' } } }],
    });
    const { status, text } = await visitor.post(`${clay()}/sync`);
    expect(status).toBe(500);
    expect(text).toContain('No &lt;b>');
    expect(toText(text)).toContain('Sync now');
    await dashboard.service.control('DELETE', '/faults');
  });

  it.each(['/dashboard/shops/1', '/dashboard/shops/none', '/dashboard/shops/1/disconnect'])(
    'is not found for a shop that is not connected: %s',
    async (path) => {
      const { status, text } = await visitor.get(path);
      expect(status).toBe(404);
      expect(text).toContain('Not found');
    },
  );
});

describe('connecting a shop in the dashboard', () => {
  it('leads to the consent page and back, and is valid only in the same browser', async () => {
    const { connecting, shops } = dashboard.service.app.core;
    await connecting.disconnect({ account_id: dashboard.account_id, shop_id: NORD.shop_id });
    const { path, cookie } = await connect(NORD.user_id);
    expect(cookie).toMatch(
      /^connect_browser=[\w-]{43}; Path=\/connect; HttpOnly; SameSite=Lax; Max-Age=900$/,
    );
    const strange = await dashboard.createVisitor().get(path);
    expect(strange.text).toContain('started in another browser');
    const { text } = await visitor.get(path);
    expect(toText(text)).toContain('NordLinen (EUR) is connected.');
    expect(text).toContain('href="/dashboard/shops"');
    expect((await shops.list(dashboard.account_id)).stores).toHaveLength(2);
  });

  it('again restores a shop whose grant has ended, and accepts no other shop in its place', async () => {
    await control('/tokens/revoke', { user_id: CLAY.user_id });
    expect((await visitor.post(`${clay()}/sync`)).text).toContain('no longer lets this service access');
    expect(toText((await visitor.get('/dashboard/shops')).text)).toContain('ClayAndOak Connect again');
    expect(toText((await visitor.get(clay())).text)).toContain('Connect the shop again as its owner');

    const wrong = await connect(NORD.user_id, { shop_id: `${CLAY.shop_id}` });
    expect((await visitor.get(wrong.path)).status).toBe(400);
    const right = await connect(CLAY.user_id, { shop_id: `${CLAY.shop_id}` });
    await visitor.get(right.path);
    expect(toText((await visitor.get('/dashboard/shops')).text)).toContain('ClayAndOak Connected');
  });
});

describe('the form for a shop’s application', () => {
  it('shows the callback address to copy, and accepts an address that the browser could not open', async () => {
    const own = await startDashboard({ BASE_URL: 'http://localhost:3000' });
    const { text } = await (await own.signIn()).get('/dashboard/shops/connect');
    expect(text).toMatch(/data-copy="Copy"[^>]*><code>http:\/\/localhost:3000\/connect\/callback<\/code>/);
    expect(text).toMatch(/<form method="get" action="\/connect\/paste">[^]*name="address"/);
    const [, guide = '', anchor = ''] = /href="(\/docs\/[\w-]+)#([\w-]+)"/.exec(text) ?? [];
    expect(await (await fetch(own.url + guide)).text()).toContain(` id="${anchor}"`);
    await own.close();
  });

  it('shows a problem next to its field, and keeps the input', async () => {
    const { status, text } = await visitor.post('/dashboard/shops/connect', {
      keystring: 'word:secret',
      shared_secret: 'secret',
    });
    expect(status).toBe(400);
    expect(text).toMatch(
      /<input id="keystring"[^>]* value="word:secret"[^>]* aria-invalid="true" aria-describedby="keystring-problem"/,
    );
    expect(text).toMatch(
      /id="keystring-problem"><bdi>The keystring contains a colon\. Enter only the keystring, without the shared secret\./,
    );
  });

  it.each([
    [
      'the button and a link, where a shop needs no application of its own',
      { ETSY_KEYSTRING: 'k', ETSY_SHARED_SECRET: 's' },
      1,
    ],
    ['the button only, where each shop needs one', {}, 0],
  ])('is reached by %s', async (_what, application, links) => {
    // Nothing listens there.
    const nowhere = { MARKETPLACE: 'etsy', ETSY_API_URL: 'http://127.0.0.1:9' };
    const real = await startDashboard({ ...nowhere, ...application });
    const { text } = await (await real.signIn()).get('/dashboard/shops');
    expect(text.match(/href="\/dashboard\/shops\/connect"/g) ?? []).toHaveLength(links);
    expect(text.match(/action="\/dashboard\/shops\/connect"/g)).toHaveLength(1);
    await real.close();
  });
});

describe('disconnecting a shop in the dashboard', () => {
  it('asks first, then forgets the shop', async () => {
    const path = `/dashboard/shops/${NORD.shop_id}/disconnect`;
    expect(toText((await visitor.get(path)).text)).toContain('Disconnect this shop? NordLinen');
    expect((await visitor.post(path)).location).toBe('/dashboard/shops');
    expect((await visitor.get('/dashboard/shops')).text).not.toContain('NordLinen');
    expect((await visitor.post(path)).status).toBe(404);
  });

  it('of the last one leaves a page that says how to connect', async () => {
    await visitor.post(`${clay()}/disconnect`);
    expect(toText((await visitor.get('/dashboard/shops')).text)).toContain('No shop is connected');
  });
});

describe('a read-only server', () => {
  it('shows the pages and changes nothing', async () => {
    const own = await startDashboard({ READ_ONLY: 'on' });
    const reader = await own.signIn();
    expect((await reader.get('/dashboard/shops')).text).toContain('ClayAndOak');
    for (const path of [`${clay()}/disconnect`, '/dashboard/shops/connect']) {
      const { status, text } = await reader.post(path);
      expect(status).toBe(400);
      expect(text).toContain('is read-only');
    }
    expect((await reader.get('/dashboard/shops')).text).toContain('ClayAndOak');
    await own.close();
  });
});

describe('the age of a time', () => {
  const NOW = new Date('2026-03-10T12:00:00Z');
  it.each([
    ['2026-03-10T11:59:30Z', 'just now'],
    ['2026-03-10T12:00:05Z', 'just now'],
    ['2026-03-10T11:59:00Z', '1 minute ago'],
    ['2026-03-10T09:01:00Z', '2 hours ago'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2026-02-20T12:00:00Z', '18 days ago'],
  ])('%s is shown as: %s', (at, words) => {
    expect(describeAge(at, NOW)).toBe(words);
  });
});
