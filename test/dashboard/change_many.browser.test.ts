import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser, openWindow, PHONE, signIn, VIEWS } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';
import { startWalk, writeWalks } from './walk.js';

type World = { listings: { state: string; inventory: { products: { offering: Offering }[] } }[] };
type Offering = { price_amount: number; is_enabled: boolean };

const COUNT = 5;

const FORMS = VIEWS.filter(([, { has_scripts }]) => !has_scripts);

describe.skipIf(!hasBrowser)('a seller with many listings', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene({ MAX_ACTIVATIONS_PER_DAY: 'unlimited', CONFIRM_SPENDING: 'off' });
    browser = await openBrowser();
    for (let index = 1; index <= COUNT; index += 1) {
      await scene.assist('listing_create', await buildMugRequest(scene, `Mug ${index}`, { state: 'active' }));
    }
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
    await writeWalks();
  });

  /** The prices and stock that buyers can order. */
  const listPrices = async () =>
    (await scene.control<World>('GET', '/state')).listings.flatMap(({ inventory }) =>
      inventory.products.flatMap(({ offering }) => (offering.is_enabled ? offering.price_amount : [])),
    );

  it.each(VIEWS)(
    '%s raises all prices by a tenth after reviewing them, and undoes it',
    async (_name, view) => {
      const before = await listPrices();
      const { context, page, problems } = await openWindow(browser, scene.url, view);
      await signIn(page, await scene.createSignInLink());
      await page.goto('/dashboard/listings');
      const raise = startWalk(page, 'Raise all prices by 10%', view);
      const { click } = raise;

      const bar = page.getByRole('group', { name: 'Selected listings' });
      if (view.has_scripts) {
        const first = page.locator('input[name=listing]').first();
        await first.check();
        await bar.getByText('1 listing selected').waitFor();
        await first.uncheck();
        await bar.getByText('selected').waitFor({ state: 'hidden' });
      }
      await click('checkbox', `Select all ${COUNT} listings`);
      expect(await bar.getByText(`${COUNT} listings selected`).count()).toBe(view.has_scripts ? 1 : 0);
      await click('button', 'Price');
      await page.getByLabel('Percent').fill('10');
      await click('button', 'Review By percent');
      await page.getByRole('heading', { level: 1, name: 'Prices +10%' }).waitFor();
      await page.getByText('19.00 USD').first().waitFor();
      expect(await page.getByText('20.90 USD').first().isVisible()).toBe(true);
      expect(await listPrices()).toEqual(before);
      await click('button', `Change ${COUNT} listings`);
      await page
        .getByText(`${2 * COUNT} changed`)
        .first()
        .waitFor();
      expect(await listPrices()).toEqual(before.map((price) => Math.round(price * 1.1)));
      expect(raise.end()).toBe(4);

      const undo = startWalk(page, 'Undo a bulk change', view);
      await undo.click('button', 'Undo…');
      await undo.click('button', `Undo changes to ${COUNT} listings`);
      await page
        .getByText(`${2 * COUNT} restored`)
        .first()
        .waitFor();
      expect(await listPrices()).toEqual(before);
      expect(undo.end()).toBe(2);
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  it.each(FORMS)('%s downloads a sheet, edits it, and uploads it', async (_, view) => {
    const title = `Mug ${view.width === PHONE ? 1 : 2}`;
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    await signIn(page, await scene.createSignInLink());
    await page.goto('/dashboard/listings');
    const sheet = startWalk(page, 'Edit a spreadsheet: download and upload', view);
    const { click } = sheet;
    await page.getByLabel(`Select ${title}`, { exact: true }).check();
    await click('button', 'Download spreadsheet');
    await page.getByLabel('CSV', { exact: true }).check();
    const downloading = page.waitForEvent('download');
    await click('button', 'Download');
    const stream = await (await downloading).createReadStream();
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    expect(text).toContain(title);
    await click('link', 'Upload the edited spreadsheet');
    await page.getByLabel('File').setInputFiles({
      name: 'mugs.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text.replaceAll(title, `Edited ${title}`)),
    });
    await click('button', 'Upload');
    await page.getByRole('heading', { level: 1, name: 'Edits from a spreadsheet' }).waitFor();
    await click('button', 'Change 1 listing');
    await page.getByText('2 changed').first().waitFor();
    expect(sheet.end()).toBe(5);
    expect(problems).toEqual([]);
    await context.close();
  });
});
