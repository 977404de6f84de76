import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openWindow, PHONE, signIn, type Window } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

/* Changes of many listings on a phone. */

describe.skipIf(!hasBrowser)('a seller with a phone', () => {
  let scene: Scene;
  let browser: Browser;
  let window: Window;
  let listing_pk: number;

  beforeAll(async () => {
    scene = await startScene({ MAX_ACTIVATIONS_PER_DAY: 'unlimited', CONFIRM_SPENDING: 'off' });
    browser = await openBrowser();
    const request = await buildMugRequest(scene, 'Mug', { state: 'active' });
    ({ listing_pk } = await scene.assist<{ listing_pk: number }>('listing_create', request));
    window = await openWindow(browser, scene.url, { width: PHONE, scheme: 'light', has_scripts: true });
    await signIn(window.page, await scene.createSignInLink());
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it('reads the old and the new price of a variation on one line', async () => {
    const { page } = window;
    const { batch_id } = await scene.assist<{ batch_id: string }>('batch_create', {
      select: { listing_pks: [listing_pk] },
      edits: [{ field: 'price', op: 'increase_percent', value: 10 }],
    });
    await page.goto(`/dashboard/changes/${batch_id}`);
    const values = page.locator('.facts dd');
    expect(await values.count()).toBeGreaterThan(1);
    const sizes = await values.evaluateAll((found) =>
      found.map((value) => ({
        lines: Math.round(
          value.getBoundingClientRect().height / parseFloat(getComputedStyle(value).lineHeight),
        ),
        overflow: value.scrollWidth - value.clientWidth,
      })),
    );
    expect(sizes).toEqual(sizes.map(() => ({ lines: 1, overflow: 0 })));
    await scene.assist('batch_cancel', { batch_id });
  });

  it('keeps the field that was filled in at its place while the form updates', async () => {
    const page = await window.context.newPage();
    await page.goto('/dashboard/listings/new');
    await page.getByRole('button', { name: 'Add variations' }).click();
    const option = page.getByLabel('First option', { exact: true });
    await option.fill('Size');
    const before = await option.boundingBox();
    await option.dispatchEvent('change');
    await page.getByLabel('Values of Size').waitFor();
    await expect.poll(() => option.boundingBox()).toEqual(before);
    await page.close();
  });

  it('selects all listings, leaves one out, and sees every action without scrolling sideways', async () => {
    const { page, problems } = window;
    await scene.assist('listing_create', await buildMugRequest(scene, 'Bowl'));
    await page.goto('/dashboard/listings');
    const bar = page.getByRole('group', { name: 'Selected listings' });
    const boxes = page.locator('input[name=listing]');
    await page.getByLabel('Select all 2 listings').check();
    await bar.getByText('2 listings selected').waitFor();
    expect(await boxes.evaluateAll((found) => found.filter((box) => box.matches(':checked')).length)).toBe(2);
    const edges = await bar
      .getByRole('button')
      .evaluateAll((found) => found.map((button) => button.getBoundingClientRect().right));
    expect(edges).toHaveLength(12);
    expect(Math.max(...edges)).toBeLessThan(PHONE);
    expect((await bar.boundingBox())?.height).toBeLessThan(340);
    await boxes.first().uncheck();
    await bar.getByText('1 listing selected').waitFor();
    expect(await page.getByLabel('Select all 2 listings').isChecked()).toBe(false);
    await page.getByLabel('Select all 2 listings').check();
    await page.getByLabel('Select all 2 listings').uncheck();
    await bar.getByText('Select listings to change them.').waitFor();
    expect(problems).toEqual([]);
  });
});
