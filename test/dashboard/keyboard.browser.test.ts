import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, hasBrowser, openBrowser, openWindow, signIn, type View } from './browser.js';
import { startScene, type Scene } from './scene.js';

/* The editor with only the keyboard: every field and button is reached with Tab. */

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
    scene = await startScene({ CONFIRM_SPENDING: 'off' });
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
    await page.getByText('All changes are saved.').waitFor();
    await tabTo(page, '[data-submit=save]');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Made by keys' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
