import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAY, fixturePath, LINEN } from '../service.js';
import { hasBrowser, openBrowser, openWindow, PHONE, signIn, VIEWS, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';
import { startWalk, writeWalks, type Walk } from './walk.js';

/* The jobs of a seller's day, each done in forms without scripts. test/dashboard/README.md has the table. */

const MANY = 40;
const ALL = 300;
const SETTINGS = {
  RATE_LIMIT_PER_SECOND: '100',
  RATE_LIMIT_PER_DAY: '100000',
  MAX_ACTIVATIONS_PER_DAY: 'unlimited',
  CONFIRM_SPENDING: 'off',
};
const FORMS = VIEWS.filter(([, { has_scripts }]) => !has_scripts);

/** Starts the displayed plan, and waits for its result. */
async function start(page: Page, walk: Walk, button: RegExp, result: string): Promise<void> {
  await walk.click('button', button);
  await page.getByText(result).first().waitFor({ timeout: 90_000 });
}

describe.skipIf(!hasBrowser)('a seller without an assistant', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await startScene(SETTINGS);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
    await writeWalks();
  });

  async function within(view: View, work: (page: Page) => Promise<void>): Promise<void> {
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    await signIn(page, await scene.createSignInLink());
    await work(page);
    expect(problems).toEqual([]);
    await context.close();
  }

  /** Makes a mug in both shops, and opens its page. */
  async function open(page: Page, title: string, state: 'draft' | 'active'): Promise<number> {
    const request = await buildMugRequest(scene, title, { state, variations: undefined });
    const { listing_pk } = await scene.assist<{ listing_pk: number }>('listing_create', request);
    await page.goto(`/dashboard/listings/${listing_pk}`);
    return listing_pk;
  }

  it.each(FORMS)(
    '%s publishes, deactivates, activates, renews and restocks a listing',
    async (name, view) => {
      await within(view, async (page) => {
        const listing_pk = await open(page, `Daily mug ${name}`, 'draft');
        const publish = startWalk(page, 'Publish a draft in two shops', view);
        await publish.click('link', 'Publish…');
        await publish.click('button', 'Publish for $0.40');
        await page.getByText('Buyers can see and order it.').waitFor();
        expect(publish.end()).toBe(2);

        const off = startWalk(page, 'Deactivate a listing', view);
        await off.click('link', 'Deactivate…');
        await off.click('button', 'Deactivate');
        await page.getByText('Inactive').first().waitFor();
        expect(off.end()).toBe(2);

        const on = startWalk(page, 'Reactivate a listing', view);
        await on.click('link', 'Activate…');
        await on.click('button', 'Activate');
        await page.getByText('Buyers can see and order it.').waitFor();
        expect(on.end()).toBe(2);

        const { listings } = await scene.control<{
          listings: { listing_id: number; fields: { title: string } }[];
        }>('GET', '/state');
        const own = listings.filter(({ fields }) => fields.title === `Daily mug ${name}`);
        const end = async (state: string, body: object) => {
          for (const { listing_id } of own)
            await scene.control('POST', `/listings/${listing_id}/${state}`, body);
          // Reads the listing again, and changes nothing.
          await scene.assist('listing_publish', { listing_pk, state: 'active' });
          await page.goto(`/dashboard/listings/${listing_pk}`);
        };
        await end('edit', { state: 'expired' });
        const renew = startWalk(page, 'Renew an expired listing', view);
        await renew.click('link', 'Activate…');
        await renew.click('button', /^Activate/);
        await page.getByText('Buyers can see and order it.').waitFor();
        expect(renew.end()).toBe(2);

        await end('sell', { quantity: 4 });
        const restock = startWalk(page, 'Restock a sold-out listing', view);
        await restock.click('link', 'Activate…');
        await page.getByLabel('Stock of each variation in sold-out shops').fill('6');
        await restock.click('button', /^Activate/);
        await page.getByText('Buyers can see and order it.').waitFor();
        expect(restock.end()).toBe(2);
      });
    },
  );

  it.each(FORMS)('%s adds a photo and removes it again', async (name, view) => {
    await within(view, async (page) => {
      const listing_pk = await open(page, `Photo mug ${name}`, 'active');
      const add = startWalk(page, 'Add a photo', view);
      await add.click('link', 'Add photos…');
      await page.getByLabel('File').setInputFiles(fixturePath('photo-05.jpg'));
      await add.click('button', 'Upload');
      await page.getByRole('heading', { level: 1, name: `Photo mug ${name}` }).waitFor();
      expect(add.end()).toBe(2);

      await page.goto(`/dashboard/listings?q=${encodeURIComponent(`Photo mug ${name}`)}`);
      const remove = startWalk(page, 'Remove a photo', view);
      await remove.click('checkbox', `Select Photo mug ${name}`);
      await remove.click('button', 'Photos');
      await page.locator('#remove-value').fill('2');
      await remove.click('button', 'Review Remove a photo');
      await start(page, remove, /^Change 1 listing/, '2 changed');
      expect(remove.end()).toBe(4);
      expect(listing_pk).toBeGreaterThan(0);
    });
  });

  it.each(FORMS)('%s finishes a failed listing', async (name, view) => {
    await within(view, async (page) => {
      await open(page, `Half mug ${name}`, 'draft');
      const action = { type: 'status', status: 400, body: { error: 'No.' } };
      await scene.control('POST', '/faults', { rules: [{ operation: 'createDraftListing', action }] });
      await page.getByRole('button', { name: 'Save as draft on Etsy' }).click();
      await page.getByText('Unfinished').first().waitFor();
      const finish = startWalk(page, 'Finish a failure', view);
      await finish.click('button', 'Finish what failed');
      await page.getByText('Buyers do not see it yet, and nothing has been paid.').waitFor();
      expect(finish.end()).toBe(1);
    });
  });

  it.each(FORMS)('%s creates an API key', async (name, view) => {
    await within(view, async (page) => {
      const key = startWalk(page, 'Create an API key', view);
      await key.click('link', 'Settings');
      await key.click('link', 'API keys and assistants');
      await page.getByLabel('Key name').fill(`Script ${name}`);
      await key.click('button', 'Create key');
      await page.locator('code').first().waitFor();
      expect(key.end()).toBe(3);
    });
  });

  it.each(FORMS)('%s sees the orders to ship', async (name, view) => {
    await within(view, async (page) => {
      await open(page, `Ordered mug ${name}`, 'active');
      await scene.control('POST', '/receipts', { shop_id: CLAY.shop_id });
      const orders = startWalk(page, 'See the orders', view);
      await orders.click('link', 'Orders');
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      expect(orders.end()).toBe(1);
    });
  });

  describe('with a shop of many listings', () => {
    beforeAll(async () => {
      // One seller running every job in this file would exceed the dashboard's limit per minute.
      const earlier = scene;
      scene = await startScene(SETTINGS);
      await earlier.close();
      const towels = { shop_id: LINEN.shop_id, count: ALL / 2, title: 'Linen towel', is_plain: true };
      await scene.control('POST', '/listings', towels);
      await scene.control('POST', '/listings', towels);
      const kinds: [number, string][] = [
        [MANY, 'Forty bowls'],
        [200, 'Speckled plate'],
        [57, 'Tall vase'],
        [1, 'Round vase'],
        [1, 'Vase to copy 1'],
        [1, 'Vase to copy 2'],
      ];
      for (const [count, title] of kinds)
        await scene.control('POST', '/listings', { shop_id: CLAY.shop_id, count, title, is_plain: true });
    });

    it.each(FORMS)('%s imports all of them', { timeout: 300_000 }, async (_, view) => {
      await within(view, async (page) => {
        const bring = startWalk(page, `Bring in ${ALL} listings of a shop`, view);
        await bring.click('link', 'Shops');
        await bring.click('link', 'Bring in listings');
        await bring.click('checkbox', view.width === PHONE ? 'NordLinen' : 'ClayAndOak');
        await bring.click('button', 'Bring in');
        await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
        await expect
          .poll(
            async () => {
              await page.reload();
              return page.getByText('In progress').count();
            },
            { timeout: 240_000, interval: 2_000 },
          )
          .toBe(0);
        expect(bring.end()).toBe(4);
      });
    });

    it.each(FORMS)('%s finds one, raises forty prices by a tenth, and undoes it', async (_, view) => {
      await within(view, async (page) => {
        await page.goto('/dashboard/listings');
        const find = startWalk(page, `Find one of ${ALL}`, view);
        await page.getByLabel('Title or SKU').fill('Round vase');
        await find.click('button', 'Show');
        await page.getByRole('heading', { name: 'Round vase' }).first().waitFor();
        expect(find.end()).toBe(1);

        await page.goto('/dashboard/listings?q=Forty+bowls');
        const raise = startWalk(page, `Raise the prices of ${MANY} listings by 10%`, view);
        await raise.click('checkbox', `Select all ${MANY} listings found`);
        await raise.click('button', 'Price');
        await page.getByLabel('Percent').fill('10');
        await raise.click('button', 'Review By percent');
        await page.getByRole('button', { name: `Change ${MANY} listings` }).waitFor();
        await start(page, raise, /^Change 40 listings/, `${MANY} changed`);
        expect(raise.end()).toBe(4);

        const undo = startWalk(page, `Undo a change of ${MANY} listings`, view);
        await undo.click('button', 'Undo…');
        await page.getByRole('button', { name: `Undo changes to ${MANY} listings` }).waitFor();
        await start(page, undo, /^Undo changes/, `${MANY} restored`);
        expect(undo.end()).toBe(2);
      });
    });

    it.each(FORMS)('%s copies a listing to another shop', async (_, view) => {
      const title = `Vase to copy ${view === FORMS[0]?.[1] ? 1 : 2}`;
      await within(view, async (page) => {
        await page.goto(`/dashboard/listings?q=${encodeURIComponent(title)}`);
        const copy = startWalk(page, 'Copy a listing to a shop', view);
        await copy.click('checkbox', `Select ${title}`);
        await copy.click('button', 'Copy to a shop');
        const form = page.locator('form', { has: page.getByRole('heading', { name: 'To NordLinen' }) });
        await form.getByLabel('Price in EUR').fill('25');
        await form.getByLabel('Shipping profile').selectOption({ index: 1 });
        await form.getByLabel('Shop section').selectOption('none');
        await copy.click('button', 'Review To NordLinen');
        await start(page, copy, /^Create 1 draft in NordLinen/, '1 changed');
        expect(copy.end()).toBe(4);
      });
    });
  });
});
