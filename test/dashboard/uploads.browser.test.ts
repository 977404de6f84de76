import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath } from '../service.js';
import { DESKTOP, hasBrowser, openBrowser, openWindow, signIn } from './browser.js';
import { startScene, type Scene } from './scene.js';

const PAGE = '/dashboard/uploads';
const NAMES = ['mug-front.jpg', 'mug-side.jpg', 'photo-05.jpg'];

const listChosen = (page: Page) =>
  page
    .getByLabel('Files')
    .evaluate((input) => [...((input as HTMLInputElement).files ?? [])].map(({ name }) => name));

describe.skipIf(!hasBrowser)('files from a browser', () => {
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

  const openDesktop = () =>
    openWindow(browser, scene.url, { width: DESKTOP, scheme: 'light', has_scripts: true });

  async function chooseAll(page: Page): Promise<void> {
    await signIn(page, await scene.createSignInLink());
    await page.goto(PAGE);
    await page.getByLabel('Files').setInputFiles(NAMES.map((name) => fixturePath(name)));
  }

  it('stay selected if the connection broke, and only these are sent again', async () => {
    const { context, page } = await openDesktop();
    await chooseAll(page);
    let sent = 0;
    await page.route(PAGE, (route) => {
      if (route.request().method() === 'POST') sent += 1;
      return sent === 2 ? route.abort() : route.continue();
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('The connection broke. Send it again.').waitFor();
    await expect.poll(() => listChosen(page)).toEqual(['mug-side.jpg']);
    expect(sent).toBe(3);

    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('is here. Give this address to your assistant:').waitFor();
    expect(sent).toBe(4);
    const list = page.locator('[data-upload-list]');
    for (const name of NAMES) expect(await list.getByRole('heading', { name }).count()).toBe(1);
    await context.close();
  });

  it('are deselected once all were received', async () => {
    const { context, page } = await openDesktop();
    await chooseAll(page);
    await page.getByRole('button', { name: 'Upload' }).click();
    await expect.poll(() => listChosen(page)).toEqual([]);
    expect(await page.getByText('Uploaded.').count()).toBe(3);
    await context.close();
  });

  it('are not sent once the session has ended', async () => {
    const { context, page } = await openDesktop();
    await chooseAll(page);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(PAGE)) sent += 1;
    });
    // The page it opens is slow, so there would be time to send the others.
    await page.route(
      (url) => url.pathname === '/dashboard/sign-in',
      async (route) => {
        if (route.request().isNavigationRequest()) await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      },
    );
    await context.clearCookies();
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.waitForURL('**/sign-in?*');
    expect(sent).toBe(1);
    await page.getByText('Your session has ended. Nothing was done; sign in and do it again.').waitFor();
    await page.getByLabel('API key').fill(scene.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor();
    await context.close();
  });

  it("have a one-time page that shows its expiry in the browser's local time", async () => {
    const { upload_url } = await scene.assist<{ upload_url: string }>('file_upload', { type: 'image' });
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(upload_url);
    const time = page.locator('form time');
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const words = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Asia/Tokyo',
    });
    await expect.poll(() => time.innerText()).toBe(words.format(at));
    await context.close();
  });
});
