import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NORD } from '../sandbox/harness.js';
import { fixturePath } from '../service.js';
import { startReceiver, verify, type Receiver } from '../webhooks/receivers.js';
import { hasBrowser, listAxeFindings, openBrowser, openWindow, signIn, VIEWS, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';
import { startWalk, writeWalks } from './walk.js';

describe.skipIf(!hasBrowser)('the owner of the shops', () => {
  let scene: Scene;
  let browser: Browser;
  let receiver: Receiver;
  /** The receiver's current answer. */
  let answer_status = 204;
  beforeAll(async () => {
    scene = await startScene();
    browser = await openBrowser();
    receiver = await startReceiver((response) => void response.writeHead(answer_status).end());
  });
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
    await scene?.close();
    await writeWalks();
  });

  /** Does the work in a separate signed-in window, in which only `expected` errors may occur. */
  async function within(view: View, work: (page: Page) => Promise<void>, expected?: RegExp): Promise<void> {
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    await signIn(page, await scene.createSignInLink());
    await work(page);
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
    await context.close();
  }

  it.each(VIEWS)('%s sets up webhooks, finds a failed delivery, and sends it again', async (_name, view) => {
    await within(view, async (page) => {
      const walk = startWalk(page, 'Set up a webhook', view);
      await walk.click('link', 'Settings');
      await walk.click('link', 'Webhooks');
      await page.getByLabel('Address').fill(receiver.url);
      await walk.click('checkbox', 'A change of many listings finished');
      await walk.click('button', 'Save destination');
      const secret = await page.locator('code', { hasText: 'whsec_' }).innerText();
      await walk.click('link', 'I have saved it');
      expect(walk.end()).toBe(5);

      answer_status = 503;
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('The receiver answered 503').waitFor();
      await page.getByRole('link', { name: 'Webhooks' }).first().click();
      await page.getByRole('link', { name: 'Failed', exact: true }).click();
      await page
        .getByRole('link', { name: /^webhook\.test/ })
        .first()
        .click();
      answer_status = 204;
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('The receiver took it, with 204.').waitFor();
      const rows = page.getByRole('region', { name: 'Deliveries' }).getByRole('row');
      expect(await rows.count()).toBe(3);
      const last = receiver.received.at(-1);
      if (!last) throw new Error('nothing arrived');
      expect(verify(secret, last)).toMatchObject({ type: 'webhook.test', id: receiver.listIds().at(-2) });

      await page.getByRole('link', { name: 'Webhooks' }).first().click();
      await page.getByRole('link', { name: 'Remove…' }).click();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Where should they go?').waitFor();
    });
  });

  it.each(VIEWS)('%s disconnects a shop and connects it again', async (_name, view) => {
    await within(
      view,
      async (page) => {
        await page.getByRole('link', { name: 'Shops', exact: true }).click();
        await page.getByRole('link', { name: 'NordLinen' }).click();
        await page.getByRole('link', { name: 'Disconnect…' }).click();
        await page.getByRole('button', { name: 'Disconnect' }).click();
        await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
        expect(await page.getByRole('link', { name: 'NordLinen' }).count()).toBe(0);

        const walk = startWalk(page, 'Connect a shop', view);
        await walk.click('button', 'Connect a shop');
        await page.locator(`input[name="user_id"][value="${NORD.user_id}"]`).check();
        await walk.click('button', 'Allow');
        await page.getByText('NordLinen (EUR) is connected.').waitFor();
        expect(walk.end()).toBe(2);
        await page.getByRole('link', { name: 'Back to where you came from' }).click();
        await page.getByRole('link', { name: 'NordLinen' }).click();
        await page.getByRole('button', { name: 'Sync now' }).click();
        await page.getByText('just now').waitFor();
        // The sandbox's own pages have no icon.
      },
      /404/,
    );
  });

  it.each(VIEWS)('%s uploads several photos, each with its result, and deletes one', async (_name, view) => {
    await within(
      view,
      async (page) => {
        await page.goto('/dashboard/uploads');
        const names = ['phone.heic', 'notes.txt', 'photo-05.jpg'];
        await page.getByLabel('Files').setInputFiles(names.map((name) => fixturePath(name)));
        await page.getByRole('button', { name: 'Upload' }).click();
        await page.getByText('is of an unknown type. Use a JPG, PNG, or GIF').first().waitFor();
        await page.getByRole('heading', { name: 'photo-05.jpg' }).first().waitFor();
        expect(await page.getByRole('heading', { name: 'phone.jpg' }).count()).toBeGreaterThan(0);
        expect(await page.getByRole('heading', { name: 'notes.txt' }).count()).toBe(0);
        const told = await page.locator('[data-upload-files] li').allInnerTexts();
        expect(told.map((row) => row.split('\n').at(-1)?.trim())).toEqual(
          view.has_scripts
            ? [
                'Uploaded. The marketplace does not accept its format or does not show its full size, so it was converted to a JPEG.',
                'notes.txt was not kept. This file is of an unknown type. Use a JPG, PNG, or GIF.',
                'Uploaded.',
              ]
            : [],
        );
        expect(view.has_scripts ? await listAxeFindings(page) : []).toEqual([]);
        const before = await page.getByRole('button', { name: 'Delete photo-05.jpg' }).count();
        await page.getByRole('button', { name: 'Delete photo-05.jpg' }).first().click();
        await page.getByText('Upload deleted.').waitFor();
        expect(await page.getByRole('button', { name: 'Delete photo-05.jpg' }).count()).toBe(before - 1);
      },
      // The page that refuses a file has the status of the refusal.
      /400/,
    );
  });

  it.each(VIEWS)('%s uploads a photo, and an assistant lists it', async (name, view) => {
    await within(
      view,
      async (page) => {
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('link', { name: 'Uploads' }).click();
        await page.getByLabel('Files').setInputFiles(fixturePath('notes.txt'));
        const refused = page.getByRole('alert');
        const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
        await page.getByRole('button', { name: 'Upload' }).click();
        expect((await answered).status()).toBe(400);
        await refused.waitFor();
        await page.getByLabel('Files').setInputFiles(fixturePath('mug-front.jpg'));
        await page.getByRole('button', { name: 'Upload' }).click();
        await page.getByText('Give this address to your assistant:').waitFor();
        const url = await page.getByRole('status').locator('code').first().innerText();
        const request = await buildMugRequest(scene, `Mug from the dashboard ${name}`, { images: [{ url }] });
        expect(await scene.assist('listing_create', request)).toMatchObject({ status: 'draft' });
      },
      /400/,
    );
  });
});
