import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, hasBrowser, openBrowser, openWindow, VIEWS, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

type World = {
  listings: { fields: { title: string }; state: string; images: unknown[] }[];
  fees: { amount: number }[];
};

describe.skipIf(!hasBrowser)('a seller', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it.each(VIEWS)('%s publishes an assistant’s draft', async (name, view) => {
    const title = `Stoneware mug ${name}`;
    const draft = await scene.assist<{ dashboard_url: string }>(
      'listing_create',
      await buildMugRequest(scene, title),
    );
    const before = await scene.control<World>('GET', '/state');
    const { context, page, problems } = await openWindow(browser, scene.url, view);

    // The link in the assistant's answer leads to the listing through the form for the key.
    await page.goto(draft.dashboard_url);
    await page.getByLabel('API key').fill(scene.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.getByText('Nothing is on Etsy yet.').isVisible()).toBe(true);
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Size\s+Glaze\s+Price\s+In stock\s+SKU$/),
      expect.stringMatching(/^Espresso\s+Oat\s+19\.00 USD · 19\.00 EUR\s+5\s+ESP-OAT$/),
      expect.stringMatching(/^Breakfast\s+Sea\s+24\.50 USD · 24\.50 EUR\s+2\s+BRK-SEA$/),
    ]);

    // While photos are slow, the page shows the progress.
    await scene.control('POST', '/faults', {
      rules: [{ operation: 'uploadListingImage', times: 4, action: { type: 'slow', ms: 2_500 } }],
    });
    await page.getByRole('button', { name: 'Save as draft on Etsy' }).click();
    await page.getByText('sending photos (1 of 2)').first().waitFor();
    await page.getByText('Buyers do not see it yet, and nothing has been paid.').waitFor();
    expect(await page.getByRole('link', { name: 'View it on the marketplace' }).count()).toBe(2);

    await page.getByRole('link', { name: 'Publish…' }).click();
    await page.getByRole('button', { name: 'Publish for $0.40' }).click();
    await page.getByText('Buyers can see and order it.').waitFor();
    expect(await page.getByText('Fee paid: $0.20').count()).toBe(2);

    const { listings, fees } = await scene.control<World>('GET', '/state');
    const own = listings.filter(({ fields }) => fields.title === title);
    expect(own.map(({ state, images }) => [state, images.length])).toEqual([
      ['active', 2],
      ['active', 2],
    ]);
    expect(fees.length - before.fees.length).toBe(2);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('needs no mouse', async () => {
    const title = 'Stoneware mug by keyboard';
    const draft = await scene.assist<{ dashboard_url: string }>(
      'listing_create',
      await buildMugRequest(scene, title),
    );
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page } = await openWindow(browser, scene.url, view);
    const press = async (name: string) => {
      for (let tab = 0; tab < 30; tab += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
        if (focused === name) return page.keyboard.press('Enter');
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };
    await page.goto(draft.dashboard_url);
    await press('Skip to content');
    await page.keyboard.press('Tab');
    await page.keyboard.type(scene.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await press('Skip to content');
    await press('Publish…');
    await page.getByRole('heading', { name: 'Publish this listing?' }).waitFor();
    await press('Publish for $0.40');
    await page.getByText('Buyers can see and order it.').waitFor();
    const { listings } = await scene.control<World>('GET', '/state');
    expect(listings.filter(({ fields }) => fields.title === title)).toHaveLength(2);
    await context.close();
  });
});
