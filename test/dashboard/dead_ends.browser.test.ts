import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath } from '../service.js';
import {
  hasBrowser,
  listAxeFindings,
  openBrowser,
  openWindow,
  PHONE,
  signIn,
  VIEWS,
  type View,
} from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

describe.skipIf(!hasBrowser)('a seller is never stuck:', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene();
    browser = await openBrowser();
    // The category's data needed for publishing is cached from here on, also while the marketplace is down.
    await scene.assist('listing_schema', { category_id: 1062 });
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  async function within(view: View, work: (page: Page) => Promise<void>, expected?: RegExp): Promise<void> {
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    await signIn(page, await scene.createSignInLink());
    await work(page);
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
    // Axe cannot run in a page without scripts.
    const findings = view.has_scripts ? await listAxeFindings(page) : [];
    expect(findings).toEqual([]);
    await context.close();
  }

  async function create(title: string, more: object = {}): Promise<string> {
    const { listing_pk } = await scene.assist<{ listing_pk: number }>(
      'listing_create',
      await buildMugRequest(scene, title, more),
    );
    return `/dashboard/listings/${listing_pk}`;
  }

  it.each(VIEWS)('%s, a listing without photos offers no fee, and accepts photos', async (name, view) => {
    const href = await create(`No photos ${name}`, { images: undefined });
    await within(view, async (page) => {
      await page.goto(href);
      expect(await page.getByRole('button', { name: 'Publish…' }).isDisabled()).toBe(true);
      await page.getByRole('complementary').getByRole('link', { name: 'Add photos' }).click();
      await page.getByLabel('File', { exact: true }).setInputFiles(fixturePath('mug-front.jpg'));
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByText('1 of 10 so far.').waitFor();
      await page.getByRole('link', { name: 'Done: back to the listing' }).click();
      await page.getByRole('link', { name: 'Publish…' }).click();
      await page.getByRole('button', { name: 'Publish for $0.40' }).waitFor();
    });
  });

  it.each(VIEWS)(
    '%s, a failure comes first on the page Today, is abandoned, and can be found again',
    async (name, view) => {
      const title = `Failed ${name}`;
      await scene.control('POST', '/faults', {
        rules: [
          {
            operation: 'uploadListingImage',
            times: 9,
            action: { type: 'status', status: 400, body: { error: 'No.' } },
          },
        ],
      });
      await create(title, { state: 'active' });
      await scene.control('DELETE', '/faults');
      await within(view, async (page) => {
        await page.getByRole('link', { name: `Finish or abandon it : ${title}: unfinished` }).click();
        await page.getByRole('link', { name: 'Abandon…' }).click();
        expect(await page.getByRole('link', { name: /^draft \d+/ }).count()).toBe(2);
        await page.getByRole('button', { name: 'Abandon' }).click();
        await page.getByText('You abandoned it; it can still be finished.').waitFor();
        expect(await page.getByRole('link', { name: /^draft \d+/ }).count()).toBe(2);
        await page.getByRole('link', { name: 'Today' }).click();
        await page.getByRole('heading', { name: 'Today' }).waitFor();
        expect(await page.getByText(`${title}: unfinished`).count()).toBe(0);
        await page.getByRole('link', { name: 'Listings', exact: true }).click();
        expect(await page.getByRole('link', { name: title }).count()).toBe(0);
        await page.getByLabel('Status').selectOption('Abandoned');
        await page.getByLabel('Title or SKU').fill(title.slice(0, 8));
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByRole('link', { name: title, exact: true }).waitFor();
      });
    },
  );

  it.each(VIEWS)('%s, an outage is reported once, with what to do', async (name, view) => {
    const href = await create(`Outage ${name}`);
    await within(
      view,
      async (page) => {
        await page.goto('/dashboard/shops');
        await page.getByRole('link', { name: 'NordLinen' }).click();
        await scene.control('POST', '/faults', {
          rules: [{ times: 900, action: { type: 'status', status: 503, body: { error: 'Later.' } } }],
        });
        try {
          await page.getByRole('button', { name: 'Sync now' }).click();
          const alert = page.getByRole('alert');
          await alert.waitFor();
          expect(await alert.innerText()).toMatch(
            /^Etsy is not responding right now\.\s+Everything that is saved here is safe\. Try again in a few minutes\.$/,
          );
          await page.goto(href);
          await page.getByRole('button', { name: 'Save as draft on Etsy' }).click();
          await page.getByText('It stopped while making the draft.').first().waitFor();
          const told = await page.locator('.notice[data-tone="bad"]').allInnerTexts();
          expect(told).toEqual([
            expect.stringContaining('Etsy did not respond. You can finish this here later.'),
            expect.stringContaining('Etsy did not respond. You can finish this here later.'),
          ]);
        } finally {
          await scene.control('DELETE', '/faults');
        }
        await page.getByRole('button', { name: 'Finish what failed' }).click();
        await page.getByText('Buyers do not see it yet, and nothing has been paid.').waitFor();
        // Actions within one minute are told apart.
        expect(await page.locator('.timeline time').first().innerText()).toMatch(/\d:\d\d:\d\d/);
      },
      /500/,
    );
  });

  it('on a phone, every action is within the window', async () => {
    await within({ width: PHONE, scheme: 'light', has_scripts: true }, async (page) => {
      await page.goto('/dashboard/access');
      const box = await page
        .getByRole('link', { name: /^Revoke…/ })
        .first()
        .boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= PHONE).toBe(true);
      const table = page.getByRole('region', { name: 'API keys' });
      expect(await table.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
      expect(await table.getByRole('row').count()).toBe(2);
      expect(await table.getByRole('cell').count()).toBe(6);
    });
  });

  it.each(VIEWS)('%s, a listing is found by its SKU, in a shop', async (name, view) => {
    const { listing } = await buildMugRequest(scene, '');
    const sku = `SKU-${name.replaceAll(' ', '-')}`;
    const title = `Bowl ${name}`;
    await create(title, { variations: undefined, listing: { ...listing, title, sku } });
    await within(view, async (page) => {
      await page.goto('/dashboard/listings');
      await page.getByLabel('Title or SKU').fill(sku.toLowerCase());
      await page.getByLabel('Shop', { exact: true }).selectOption('ClayAndOak');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('link', { name: title, exact: true }).waitFor();
      expect(await page.getByText('24.50 USD · 24.50 EUR · 4 in stock').count()).toBeGreaterThan(0);
    });
  });
});
