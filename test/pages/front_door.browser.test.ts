import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasBrowser,
  listAxeFindings,
  openBrowser,
  openWindow,
  VIEWS,
  type View,
} from '../dashboard/browser.js';
import { buildEnvironment, startServe, type Served } from '../surfaces/faces.js';

const MAX_FRONT_PAGE_BYTES = 60_000;
const NARROWEST = 320;

/** The page fits the window, even the narrowest, and axe, which is a script itself, finds no problem in it. */
async function look(page: Page, { has_scripts }: View): Promise<void> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const overflows: number[] = [];
  for (const width of [NARROWEST, size.width]) {
    await page.setViewportSize({ ...size, width });
    overflows.push((await page.evaluate(() => document.documentElement.scrollWidth)) - width);
  }
  const findings = has_scripts ? await listAxeFindings(page) : [];
  expect([page.url(), ...overflows, ...findings]).toEqual([page.url(), 0, 0]);
}

/** The ways of a visitor without an account who knows only the address. */
describe.skipIf(!hasBrowser)('a newcomer', () => {
  let data_dir: string;
  let served: Served;
  let browser: Browser;

  beforeAll(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'front-door-'));
    served = await startServe(buildEnvironment(data_dir));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.stop();
    await rm(data_dir, { recursive: true });
  });

  it.each(VIEWS)('finds the way from the front page to everything, %s', async (_name, view) => {
    const { context, page, problems } = await openWindow(browser, served.url, view);
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Marketplace Listing Service' }).waitFor();
    await page.getByText('Sandbox: nothing reaches Etsy, no money.').waitFor();
    await look(page, view);

    await page.getByRole('link', { name: 'Connect one' }).click();
    await page.getByRole('heading', { name: 'Connect an assistant' }).waitFor();
    const copy = page.getByRole('button', { name: 'Copy for Claude Code' });
    expect(await copy.count()).toBe(view.has_scripts ? 1 : 0);

    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor();
    await page.getByRole('navigation', { name: 'Parts of the service' }).getByText('Docs').click();
    await page.getByRole('heading', { level: 1, name: 'For sellers' }).waitFor();
    await look(page, view);
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: /sign in/i }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Listing Service' }).click();
    await page.getByRole('heading', { level: 1, name: 'Marketplace Listing Service' }).waitFor();

    await page.getByRole('link', { name: 'openapi.json' }).click();
    expect(await page.textContent('body')).toContain('"openapi":"3.1.1"');
    expect(problems).toEqual([]);
    await context.close();
  });

  it.each(VIEWS)('sees what is wrong with an address, and where to go, %s', async (_name, view) => {
    const { context, page, problems } = await openWindow(browser, served.url, view);
    const response = await page.goto('/nope');
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
    await page.getByText('There is no page at this address').waitFor();
    await look(page, view);
    await page.getByRole('link', { name: 'front page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Marketplace Listing Service' }).waitFor();
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await context.close();
  });

  it.each(VIEWS)(
    'searches the documentation, and gets to an operation and its error, %s',
    async (_name, view) => {
      const { context, page, problems } = await openWindow(browser, served.url, view);
      await page.goto('/docs');
      await page.getByRole('searchbox').fill('undo a change');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
      await look(page, view);
      await page.getByRole('main').getByRole('link', { name: 'Undo a change to a listing' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Undo a change to a listing' }).waitFor();
      expect(await page.locator('[aria-current=page]').textContent()).toBe('Undo a change to a listing');

      const python = page.locator('pre[data-language=Python]').first();
      expect(await python.isVisible()).toBe(false);
      await page.getByText('Python', { exact: true }).first().click();
      expect(await python.isVisible()).toBe(true);
      await look(page, view);

      await page.getByRole('link', { name: 'NOTHING_TO_UNDO' }).click();
      await page.locator('#NOTHING_TO_UNDO:target').waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  it('loads less than 60 kB for the front page', async () => {
    const { context, page } = await openWindow(browser, served.url, {
      width: 1280,
      scheme: 'light',
      has_scripts: true,
    });
    const sizes: number[] = [];
    page.on('response', (response) => void response.body().then((body) => sizes.push(body.length)));
    await page.goto('/', { waitUntil: 'networkidle' });
    await expect.poll(() => sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_FRONT_PAGE_BYTES);
    await context.close();
  });
});
