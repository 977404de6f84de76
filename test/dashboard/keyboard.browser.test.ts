import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, hasBrowser, openBrowser, openWindow, signIn, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

/* Pages with only the keyboard: every field and button is reached with Tab. */

const VIEW: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
const MOST_PRESSES = 150;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < MOST_PRESSES; count += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  throw new Error(`Tab does not reach ${selector} on ${page.url()}`);
}

async function type(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}

describe.skipIf(!hasBrowser)('a seller with only the keyboard', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene({ CONFIRM_SPENDING: 'off', MAX_ACTIVATIONS_PER_DAY: 'unlimited' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });

  it('makes a new listing as a draft', async () => {
    const { context, page, problems } = await openWindow(browser, scene.url, VIEW);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto('/dashboard/listings/new');
    await type(page, '#title', 'Made by keys');
    await type(page, '#description', 'Thrown on the wheel.');
    await type(page, '#category_words', 'mug');
    await tabTo(page, 'button[value=category-find]');
    await page.keyboard.press('Enter');
    await page.getByText('Drinkware > Mugs').waitFor();
    await tabTo(page, '[name=shop]');
    await page.keyboard.press('Space');
    for (const field of ['shipping_', 'returns_']) {
      await tabTo(page, `[name^=${field}]`);
      await page.keyboard.press('ArrowDown');
    }
    await type(page, '#price_USD', '24.50');
    await type(page, '#quantity', '4');
    await page.locator('[data-editor-extent]').getByText('Saved as a draft.').waitFor();
    await tabTo(page, '[data-submit=save]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Made by keys' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('reviews a change of two listings, leaves a row out, replaces an edit made on Etsy, and starts it', async () => {
    for (const title of ['First by keys', 'Second by keys']) {
      await scene.assist('listing_create', await buildMugRequest(scene, title, { state: 'active' }));
    }
    const [edited] = await listTagsOnEtsy();
    await scene.control('POST', `/listings/${edited?.listing_id}/edit`, { tags: ['by hand'] });
    const { context, page, problems } = await openWindow(browser, scene.url, VIEW);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto('/dashboard/listings?q=by+keys');
    await tabTo(page, '[name=all]');
    await page.keyboard.press('Space');
    await tabTo(page, 'button[value=tags]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Change tags' }).waitFor();
    await type(page, '#add-value', 'keyed');
    await page.keyboard.press('Enter');
    await page.getByText('Make these changes?').waitFor();
    await tabTo(page, '[name=replace]');
    await page.keyboard.press('Space');
    await tabTo(page, '[name=keep]');
    await page.keyboard.press('Space');
    expect(await hasFocusRing(page)).toBe(true);
    // The button that Enter presses is hidden.
    expect(await page.getByRole('button', { name: 'Update the plan' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByText('Replaces an edit made on Etsy.').waitFor();
    await tabTo(page, 'button[formaction$="/start"]');
    expect(await hasFocusRing(page)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByText('3 changed').first().waitFor();

    const changed = await listTagsOnEtsy();
    expect(changed.filter(({ fields }) => fields.tags.includes('keyed'))).toHaveLength(3);
    expect(changed.find(({ listing_id }) => listing_id === edited?.listing_id)?.fields.tags).toEqual([
      'by hand',
      'keyed',
    ]);
    expect(problems).toEqual([]);
    await context.close();
  });

  async function listTagsOnEtsy() {
    const { listings } = await scene.control<{ listings: Tagged[] }>('GET', '/state');
    return listings.filter(({ fields }) => fields.title.endsWith('by keys'));
  }
});

type Tagged = { listing_id: number; fields: { title: string; tags: string[] } };

/** Whether the focused element has a visible outline. */
function hasFocusRing(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  });
}
