import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DESKTOP,
  hasBrowser,
  listAxeFindings,
  openBrowser,
  openWindow,
  PHONE,
  signIn,
  type Window,
} from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

/** None of these texts may have any effect. */
const HOSTILE = '&lt;img src=x onerror=alert(1)&gt; \u202egnp.exe "&amp;" </p><b>';
const FILTERED = '/dashboard/listings?is=shop-inactive&q=sale&sort=title';
const MAX_FIRST_PAGE_BYTES = 50_000;
/** The narrowest width of WCAG's reflow criterion. */
const NARROWEST = 320;
/** As a browser formats it; the layout must not depend on the time of day. */
const LONGEST_MOMENT = 'Sep 30, 2026, 10:58 PM';

describe.skipIf(!hasBrowser)('every page', () => {
  let scene: Scene;
  let browser: Browser;
  let paths: string[];

  beforeAll(async () => {
    scene = await startScene();
    browser = await openBrowser();
    paths = await listPages(scene);
    await saveFilter();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  async function open(width: number, scheme: 'light' | 'dark'): Promise<Window> {
    const window = await openWindow(browser, scene.url, { width, scheme, has_scripts: true });
    await signIn(window.page, await scene.createSignInLink());
    return window;
  }

  /** With the longest name, which has no place to break. */
  async function saveFilter(): Promise<void> {
    const { context, page } = await open(NARROWEST, 'light');
    await page.goto(FILTERED);
    await page.getByText('Save this filter').click();
    await page.getByLabel('Name', { exact: true }).fill('W'.repeat(60));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'WWW' }).waitFor();
    await context.close();
  }

  it.each(['light', 'dark'] as const)('has no problem that axe finds, %s', async (scheme) => {
    const { context, page } = await open(DESKTOP, scheme);
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await page.goto(path);
      found[path] = await listAxeFindings(page);
    }
    await context.clearCookies();
    for (const path of ['/dashboard/sign-in', await scene.createSignInLink(), '/', '/docs']) {
      await page.goto(path);
      found[path] = await listAxeFindings(page);
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, lines]) => lines.length > 0))).toEqual({});
    await context.close();
  });

  it.each([NARROWEST, PHONE, DESKTOP])('fits a window of %i pixels', async (width) => {
    const { context, page, problems } = await open(width, 'light');
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      const overflow = await page.evaluate((longest) => {
        for (const time of document.querySelectorAll('time')) time.textContent = longest;
        for (const part of document.querySelectorAll('details')) part.open = true;
        return document.documentElement.scrollWidth - innerWidth;
      }, LONGEST_MOMENT);
      if (overflow > 0) wide.push(`${path} by ${overflow}`);
    }
    expect(wide).toEqual([]);
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await context.close();
  });

  it('gives each link, button and field 24 pixels on the narrowest phone', async () => {
    const { context, page } = await open(NARROWEST, 'light');
    const small: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      small.push(...(await listSmallTargets(page)).map((target) => `${path}: ${target}`));
    }
    expect(small).toEqual([]);
    await context.close();
  });

  it('has its sections in one row on a phone', async () => {
    const { context, page } = await open(PHONE, 'light');
    const tops = await page
      .getByRole('navigation', { name: 'Dashboard' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => Math.round(link.getBoundingClientRect().top)));
    expect(tops.length).toBeGreaterThan(4);
    expect(new Set(tops).size).toBe(1);
    await context.close();
  });

  it('weighs less than 50 kB at the first visit, without photos', async () => {
    const { context, page } = await openWindow(browser, scene.url, {
      width: DESKTOP,
      scheme: 'light',
      has_scripts: true,
    });
    await signIn(page, await scene.createSignInLink());
    const weights = new Map<string, number>();
    for (const path of paths) weights.set(path, await weigh(page, path));
    expect([...weights].filter(([, size]) => size < 1_000 || size > MAX_FIRST_PAGE_BYTES)).toEqual([]);
    await context.close();
  });

  it('says that the marketplace is a trial', async () => {
    const { context, page } = await open(DESKTOP, 'light');
    const silent: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      if (!(await page.locator('main').innerText()).startsWith('Sandbox: nothing reaches Etsy'))
        silent.push(path);
    }
    await context.clearCookies();
    await page.goto('/dashboard/sign-in');
    expect(await page.getByText('nothing reaches Etsy').count()).toBe(1);
    expect(silent).toEqual([]);
    await context.close();
  });

  it('shows hostile text as text', async () => {
    const { context, page, problems } = await open(DESKTOP, 'light');
    await page.goto(paths[2] ?? '');
    expect(await page.getByText('<img src=x onerror=alert(1)>').isVisible()).toBe(false);
    expect(await page.locator('main').innerText()).toContain(
      '&lt;img src=x onerror=alert(1)&gt; U+202Egnp.exe',
    );
    expect(await page.locator('main img[src="x"]').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Targets below the size that WCAG requires. A checkbox counts together with its label. */
function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')].flatMap(
      (element) => {
        const isBox = element.matches('[type=checkbox], [type=radio]');
        const target = (isBox ? element.closest('label') : null) ?? element;
        const { width, height } = target.getBoundingClientRect();
        const isHidden = width === 0 || element.matches('.skip, .cover, .visually-hidden');
        return isHidden || (width >= 24 && height >= 24)
          ? []
          : [`${element.outerHTML.slice(0, 120)} ${width} × ${height}`];
      },
    ),
  );
}

/** One of each page, and the listing's page in each state. */
async function listPages(scene: Scene): Promise<string[]> {
  const create = async (title: string, more: object = {}) => {
    const request = await buildMugRequest(scene, title, more);
    const { listing_pk } = await scene.assist<{ listing_pk: number }>('listing_create', request);
    return `/dashboard/listings/${listing_pk}`;
  };
  const { listing } = await buildMugRequest(scene, 'Mug with hostile words');
  const draft = await create('A draft', { listing: { ...listing, description: HOSTILE } });
  const published = await create('On the marketplace', { state: 'publish' });
  const live = await create('Live', { state: 'active' });
  const bare = await create('Without photos', { images: undefined });
  const off_sale = await create('Off sale', { state: 'active' });
  await scene.assist('listing_publish', {
    listing_pk: Number(off_sale.split('/').at(-1)),
    state: 'inactive',
  });
  const changes = await listChangePages(scene, Number(live.split('/').at(-1)));
  await scene.control('POST', '/faults', {
    rules: [
      {
        operation: 'createDraftListing',
        action: { type: 'status', status: 400, body: { error: `No ${HOSTILE}` } },
      },
    ],
  });
  const failed = await create('Unfinished', { state: 'publish' });
  return [
    '/dashboard',
    '/dashboard/listings',
    draft,
    published,
    live,
    failed,
    ...(await listOtherPages(scene)),
    ...changes,
    `${draft}/edit`,
    `${live}/edit`,
    `${draft}/put-live`,
    `${draft}/delete`,
    `${live}/off-sale`,
    `${off_sale}/back-on-sale`,
    off_sale,
    FILTERED,
    '/dashboard/orders',
    `${failed}/give-up`,
    `${draft}/add-photos`,
    bare,
    `${bare}/put-live`,
    '/dashboard/nothing',
  ];
}

/** Pages of changes of many listings: planned with hostile text, started, and the forms that lead to them. */
async function listChangePages(scene: Scene, listing_pk: number): Promise<string[]> {
  const plan = (edit: object) =>
    scene.assist<{ batch_id: string }>('batch_create', {
      select: { listing_pks: [listing_pk] },
      edits: [edit],
    });
  const planned = await plan({ field: 'description', op: 'append', value: HOSTILE });
  const done = await plan({ field: 'tags', op: 'add', value: ['gift'] });
  await scene.assist('batch_start', { batch_id: done.batch_id });
  const { job_id } = await scene.assist<{ job_id: string }>('listing_update', {
    listing_pk,
    changes: { listing: { title: 'Live again' } },
  });
  const refused = await plan({ field: 'shop_section_id', op: 'set', value: HOSTILE });
  const kinds = 'price stock tags section title profile photos sale renew copy sheet'.split(' ');
  return [
    '/dashboard/changes',
    ...[planned, done, refused].map(({ batch_id }) => `/dashboard/changes/${batch_id}`),
    ...kinds.map((kind) => `/dashboard/changes/new?do=${kind}&listing=${listing_pk}`),
    `/dashboard/changes/jobs/${job_id}`,
    `/dashboard/changes/jobs/${job_id}/undo`,
    '/dashboard/changes/new?do=price',
    '/dashboard/changes/sheet',
  ];
}

/** Pages of shops, uploads, webhooks and access, with some content on each. */
async function listOtherPages(scene: Scene): Promise<string[]> {
  const [store] = (await scene.assist<{ stores: { shop_id: string }[] }>('stores_list')).stores;
  await scene.assist('webhook_endpoint_set', { url: 'http://127.0.0.1:9/hooks' });
  const { delivery_id } = await scene.assist<{ delivery_id: number }>('webhook_test');
  return [
    '/dashboard/shops',
    '/dashboard/bring-in',
    `/dashboard/shops/${store?.shop_id}`,
    `/dashboard/shops/${store?.shop_id}/disconnect`,
    `/dashboard/shops/${store?.shop_id}/bring-in`,
    '/dashboard/uploads',
    '/dashboard/webhooks',
    '/dashboard/webhooks?status=pending',
    '/dashboard/webhooks/destination',
    '/dashboard/webhooks/secret',
    '/dashboard/webhooks/remove',
    `/dashboard/webhooks/deliveries/${delivery_id}`,
    '/dashboard/access',
    '/dashboard/settings',
  ];
}

/** Bytes of everything except photos that a browser with an empty cache loads for a page, including headers. */
async function weigh(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const photos = new Set<string>();
  let size = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Image') photos.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!photos.has(requestId)) size += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path, { waitUntil: 'networkidle' });
  await session.detach();
  return size;
}
