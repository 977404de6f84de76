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
});
