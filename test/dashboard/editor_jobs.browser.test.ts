import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openWindow, signIn, VIEWS, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';
import { startWalk, writeWalks } from './walk.js';

/*
 * A seller's jobs in the editor of an active listing, each in forms without scripts. See
 * jobs.browser.test.ts.
 */

const FORMS = VIEWS.filter(([, { has_scripts }]) => !has_scripts);

type Saved = {
  request: {
    shops: { price?: number }[];
    listing: { title: string; price: number; quantity: number };
    images: { url: string }[];
  };
};

describe.skipIf(!hasBrowser)('a seller in the editor', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene({ CONFIRM_SPENDING: 'off' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
    await writeWalks();
  });

  /**
   * Walks from the page of an active listing to the result of its change in both shops, and returns the saved
   * request.
   */
  async function walk(job: string, view: View, work: (page: Page, click: Click) => Promise<void>) {
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    const more = { state: 'active', variations: undefined };
    const request = await buildMugRequest(scene, `Mug to ${job.toLowerCase()}, ${view.width}`, more);
    const { listing_pk } = await scene.assist<{ listing_pk: number }>('listing_create', request);
    await page.goto(`/dashboard/listings/${listing_pk}`);
    const { click, end } = startWalk(page, job, view);
    await click('link', 'Edit this listing');
    await work(page, click);
    await click('button', 'Review');
    await click('button', 'Change 1 listing');
    await page.getByText('2 changed').first().waitFor();
    const clicks = end();
    expect(problems).toEqual([]);
    await context.close();
    const saved = await scene.assist<Saved>('listing_get', { listing_pk });
    return { clicks, saved: saved.request, request };
  }

  it.each(FORMS)('%s edits a title', async (_, view) => {
    const { clicks, saved } = await walk('Edit a title', view, async (page) => {
      await page.getByRole('textbox', { name: 'Title' }).fill('A better title');
    });
    expect([clicks, saved.listing.title]).toEqual([3, 'A better title']);
  });

  it.each(FORMS)('%s edits a price', async (_, view) => {
    const { clicks, saved } = await walk('Edit a price', view, async (page) => {
      await page.getByLabel('Price, USD', { exact: true }).fill('26');
      await page.getByLabel('Price, EUR', { exact: true }).fill('23,50');
    });
    expect([clicks, saved.shops.map(({ price }) => price)]).toEqual([3, [26, 23.5]]);
  });

  it.each(FORMS)('%s edits the stock', async (_, view) => {
    const { clicks, saved } = await walk('Edit the stock', view, async (page) => {
      await page.getByLabel('Stock', { exact: true }).fill('9');
    });
    expect([clicks, saved.listing.quantity]).toEqual([3, 9]);
  });

  it.each(FORMS)('%s reorders photos', async (_, view) => {
    const { clicks, saved, request } = await walk('Reorder photos', view, async (_page, click) => {
      await click('button', 'Make main photo 2');
    });
    expect(clicks).toBe(4);
    expect(saved.images.map(({ url }) => url)).toEqual(request.images.map(({ url }) => url).reverse());
  });
});

type Click = ReturnType<typeof startWalk>['click'];
