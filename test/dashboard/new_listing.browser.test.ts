import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath } from '../service.js';
import {
  DESKTOP,
  hasBrowser,
  listAxeFindings,
  openBrowser,
  openWindow,
  PHONE,
  signIn,
  VIEWS,
  type View,
} from './browser.js';
import { startScene, type Scene } from './scene.js';
import { startWalk, writeWalks } from './walk.js';

type World = {
  listings: { fields: { title: string }; state: string; images: { rank: number }[] }[];
};

/** The most clicks from the overview to the active listing; filling in fields is not counted. */
const MOST_CLICKS = { with_scripts: 20, without_scripts: 24 };

describe.skipIf(!hasBrowser)('a new listing', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
    await writeWalks();
  });

  it.each(VIEWS)('%s is made without an assistant, and is active in two shops', async (name, view) => {
    const title = `Mug made ${name}`;
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    const { click, choose, end } = startWalk(page, 'Create a listing and publish it in two shops', view);
    await click('link', 'Listings');
    await click('link', 'New listing');
    await page.getByLabel('Add photos').setInputFiles(['mug-front.jpg', 'mug-side.jpg'].map(fixturePath));
    if (!view.has_scripts) await click('button', 'Upload photos');
    await page.getByText('2 of 10.').waitFor();
    await page.getByRole('textbox', { name: 'Title' }).fill(title);
    await page.getByRole('textbox', { name: 'Description' }).fill('Thrown on the wheel.\nHolds 300 ml.');
    await page.getByLabel('Tags').fill('mug, stoneware');
    await page.getByLabel('Find a category').fill('mug');
    await click('button', 'Find categories');
    await page.getByText('Drinkware > Mugs').waitFor();
    await click('checkbox', /^ClayAndOak/);
    await click('checkbox', /^NordLinen/);
    await settle(page);
    await choose('Shipping profile', 'Small parcel (5.95 USD)', 0);
    await choose('Shipping profile', 'Parcel (6.90 EUR)', 1);
    await choose('Return policy', 'Returns and exchanges within 30 days', 0);
    await choose('Return policy', 'Returns and exchanges within 30 days', 1);
    await page.getByLabel('Price, USD', { exact: true }).fill('24.50');
    await page.getByLabel('Price, EUR', { exact: true }).fill('21,90');
    await page.getByLabel('Stock', { exact: true }).fill('4');
    await click('button', 'Add variations');
    await page.getByLabel('First option', { exact: true }).fill('Size');
    await page.getByLabel('Values of').fill('Espresso\nBreakfast');
    if (view.has_scripts) await page.getByLabel('Values of').blur();
    else await click('button', 'Update the table');
    await page.getByLabel('Price in USD of Espresso').fill('19');
    await settle(page);
    await click('button', 'Review');
    await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^Shop/),
      expect.stringMatching(/^ClayAndOak\s+New listing, active\s+From 19\.00 USD\s+\$0\.20$/),
      expect.stringMatching(/^NordLinen\s+New listing, active\s+From 21\.90 EUR\s+\$0\.20$/),
      expect.stringMatching(/^Size/),
      expect.stringMatching(/^Espresso\s+19\.00 USD · 21\.90 EUR\s+4$/),
      expect.stringMatching(/^Breakfast\s+24\.50 USD · 21\.90 EUR\s+4$/),
    ]);
    expect(view.has_scripts ? await listAxeFindings(page) : []).toEqual([]);
    await click('button', 'Publish in 2 shops for $0.40');
    await page.getByText('Buyers can see and order it.').waitFor();
    expect(end()).toBeLessThanOrEqual(MOST_CLICKS[view.has_scripts ? 'with_scripts' : 'without_scripts']);

    const { listings } = await scene.control<World>('GET', '/state');
    const own = listings.filter(({ fields }) => fields.title === title);
    expect(own.map(({ state, images }) => [state, images.length])).toEqual([
      ['active', 2],
      ['active', 2],
    ]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it.each([
    [320, 'light'],
    [PHONE, 'dark'],
    [DESKTOP, 'light'],
  ] as const)(
    'with everything in its form fits a window of %i pixels and passes axe, %s',
    async (width, scheme) => {
      const view: View = { width, scheme, has_scripts: true };
      const { context, page, problems } = await openWindow(browser, scene.url, view);
      page.setDefaultTimeout(10_000);
      await signIn(page, await scene.createSignInLink());
      await page.goto('/dashboard/listings/new');
      await page.getByLabel('Add photos').setInputFiles(['mug-front.jpg', 'mug-side.jpg'].map(fixturePath));
      await page.getByText('2 of 10.').waitFor();
      const back = width === DESKTOP ? 'Move left photo 2' : 'Move up photo 2';
      await page.getByRole('button', { name: back, exact: true }).waitFor();
      await page.getByLabel('Add a video').setInputFiles(fixturePath('clip.mp4'));
      await page.getByText('clip.mp4').first().waitFor();
      await page.getByLabel('Find a category').fill('mug');
      await page.getByRole('button', { name: 'Find categories' }).click();
      await page.getByText('optional details').click();
      await page.getByRole('button', { name: 'Add variations' }).click();
      await page
        .getByLabel('First option', { exact: true })
        .fill('Size <b>with hostile words</b> and many more of them');
      await page.getByLabel('Values of').fill('Espresso\nBreakfastBreakfastBreakfastBreakfastBreakfast');
      await page.getByLabel('Values of').blur();
      await page.getByLabel('Price in USD of Espresso').waitFor();
      await page.getByText('Photos of variations').click();
      await settle(page);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByText('things to correct:').waitFor();
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      expect(await listAxeFindings(page)).toEqual([]);
      expect(await listSmallTargets(page)).toEqual([]);
      await page
        .getByRole('link', { name: 'Enter a price in EUR.' })
        .or(page.getByRole('link', { name: /Title/ }))
        .first()
        .click();
      expect(problems.filter((line) => !line.includes('400'))).toEqual([]);
      await context.close();
    },
  );

  it('accepts a pasted column and dragged photos', async () => {
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto('/dashboard/listings/new');
    await page.getByLabel('Add photos').setInputFiles(['mug-front.jpg', 'mug-side.jpg'].map(fixturePath));
    await page.getByText('2 of 10.').waitFor();
    const names = () => page.locator('[data-photos] li .note bdi').allInnerTexts();
    expect(await names()).toEqual(['mug-front.jpg', 'mug-side.jpg']);
    const second = await page.locator('[data-drag]').nth(1).boundingBox();
    const first = await page.locator('[data-drag]').nth(0).boundingBox();
    if (!first || !second) throw new Error('the photos are not shown');
    await page.mouse.move(second.x + 40, second.y + 40);
    await page.mouse.down();
    await page.mouse.move(first.x + 40, first.y + 40, { steps: 5 });
    await page.mouse.up();
    await settle(page);
    expect(await names()).toEqual(['mug-side.jpg', 'mug-front.jpg']);

    await page.getByRole('button', { name: 'Add variations' }).click();
    await page.getByLabel('First option', { exact: true }).fill('Size');
    await page.getByLabel('Values of').fill('S\nM\nL');
    await page.getByLabel('Values of').blur();
    const cell = page.getByLabel('Price in USD of S');
    await cell.waitFor();
    await settle(page);
    await cell.evaluate((input) => {
      const data = new DataTransfer();
      data.setData('text/plain', '18\t17\n20\t19\n');
      input.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    const read = (code: string) =>
      page
        .locator(`input[name=row_price_${code}]`)
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    expect(await read('USD')).toEqual(['18', '20', '']);
    expect(await read('EUR')).toEqual(['17', '19', '']);
    await context.close();
  });
});

it('needs scripts of less than 30 kB in total', () => {
  const folder = join(import.meta.dirname, '../../dist/src/pages/client');
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
});

/** Waits until no step is in progress. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('form[data-editor]:not([aria-busy])').waitFor();
}

/** Buttons, fields and labels of choices that are smaller than WCAG requires. */
function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'main button, main input, main select, main textarea, main summary, main .choice',
      ),
    ]
      .filter((target) => !target.closest('.choice') || target.matches('.choice'))
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(
        ({ target, box }) =>
          box.width > 1 && !target.matches('.visually-hidden') && (box.width < 24 || box.height < 24),
      )
      .map(({ target }) => target.outerHTML.slice(0, 100)),
  );
}
