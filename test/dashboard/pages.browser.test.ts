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
import { fillWithLongTexts, listPages, UNBROKEN } from './every_page.js';
import { startScene, type Scene } from './scene.js';

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

  it.each([
    ['light', 'all'],
    ['dark', 'contrast'],
  ] as const)('has no axe findings in %s mode (rules: %s)', async (scheme, rules) => {
    const { context, page } = await open(DESKTOP, scheme);
    const found: Record<string, string[]> = {};
    for (const path of paths) {
      await page.goto(path);
      found[path] = await listAxeFindings(page, rules);
    }
    await context.clearCookies();
    for (const path of ['/dashboard/sign-in', await scene.createSignInLink(), '/', '/docs']) {
      await page.goto(path);
      found[path] = await listAxeFindings(page, rules);
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, lines]) => lines.length > 0))).toEqual({});
    await context.close();
  });

  // Each page is opened once: the service limits how often an account may open those that ask the marketplace.
  it('fits each window, with links, buttons and fields of 24 pixels on the narrowest phone', async () => {
    const { context, page, problems } = await open(NARROWEST, 'light');
    const wide: string[] = [];
    const small: string[] = [];
    for (const path of paths) {
      await page.setViewportSize({ width: NARROWEST, height: 850 });
      await page.goto(path);
      small.push(...(await listSmallTargets(page)).map((target) => `${path}: ${target}`));
      await page.evaluate((longest) => {
        for (const time of document.querySelectorAll('time')) time.textContent = longest;
        for (const part of document.querySelectorAll('details')) part.open = true;
      }, LONGEST_MOMENT);
      for (const width of [NARROWEST, PHONE, DESKTOP]) {
        await page.setViewportSize({ width, height: 850 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) wide.push(`${path} at ${width} by ${overflow}`);
      }
    }
    expect({ wide, small }).toEqual({ wide: [], small: [] });
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await context.close();
  });

  it('fits the narrowest phone when no text has a place to break', async () => {
    const long = await startScene();
    await fillWithLongTexts(long);
    const { context, page } = await openWindow(browser, long.url, {
      width: NARROWEST,
      scheme: 'light',
      has_scripts: true,
    });
    await signIn(page, await long.createSignInLink());
    const wide: string[] = [];
    for (const path of [...(await listPages(long, UNBROKEN)), `/dashboard/listings?q=${UNBROKEN}`]) {
      await page.goto(path);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) wide.push(`${path} by ${overflow}: ${await findWidest(page)}`);
    }
    expect(wide).toEqual([]);
    await context.close();
    await long.close();
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

/** The visible element that reaches furthest to the right. */
function findWidest(page: Page): Promise<string> {
  return page.evaluate(() => {
    const visible = document.querySelectorAll('main :not(thead *, .visually-hidden)');
    const ends = [...visible].map(
      (element) => [element.getBoundingClientRect().right, element.outerHTML] as const,
    );
    const [widest] = ends.sort(([one], [other]) => other - one);
    return widest?.[1].slice(0, 200) ?? '';
  });
}

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
