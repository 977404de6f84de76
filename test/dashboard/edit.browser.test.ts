import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixturePath } from '../service.js';
import { DESKTOP, hasBrowser, openBrowser, openWindow, signIn, VIEWS, type View } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

describe.skipIf(!hasBrowser)('the editor of a saved listing', () => {
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

  const make = async (title: string, more: object = {}) => {
    const request = await buildMugRequest(scene, title, more);
    return scene.assist<{ listing_pk: number; dashboard_url: string }>('listing_create', request);
  };
  const read = async (listing_pk: number) =>
    scene.assist<{ request: { listing: { title: string; tags: string[] }; images: unknown[] } }>(
      'listing_get',
      {
        listing_pk,
      },
    );

  it.each(VIEWS)('%s adds a photo and changes one price, after a review', async (name, view) => {
    const made = await make(`Edited ${name}`, { state: 'publish' });
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto(made.dashboard_url);
    await page.getByRole('link', { name: 'Edit this listing' }).click();
    await page.getByLabel('Add photos').setInputFiles([fixturePath('photo-05.jpg')]);
    if (!view.has_scripts) await page.getByRole('button', { name: 'Upload photos' }).click();
    await page.getByText('3 of 10.').waitFor();
    await page.getByLabel('Price in EUR of Espresso, Oat').fill('18');
    if (view.has_scripts) await page.getByText('2 changes in 2 shops · free').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('18.00 EUR').first().waitFor();
    expect(await page.getByText('18.00 USD').count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('saves a draft during pauses, and shows both values if an assistant changed it too', async () => {
    const { listing_pk, dashboard_url } = await make('Draft of two hands');
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto(`${dashboard_url}/edit`);
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Saved by itself');
    await page.getByText('All changes are saved.').waitFor();
    expect((await read(listing_pk)).request.listing.title).toBe('Saved by itself');

    await scene.assist('listing_update', {
      listing_pk,
      changes: { listing: { title: 'By the assistant', tags: ['assistant'] } },
    });
    await title.fill('By the seller');
    await page.getByRole('definition').getByText('By the assistant').waitFor();
    expect(await title.inputValue()).toBe('By the seller');
    expect(await page.getByRole('textbox', { name: 'Tags' }).inputValue()).toBe('assistant');
    expect((await read(listing_pk)).request.listing.title).toBe('By the assistant');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'By the seller' }).waitFor();
    expect((await read(listing_pk)).request.listing).toMatchObject({
      title: 'By the seller',
      tags: ['assistant'],
    });
    expect(problems).toEqual([]);
    await context.close();
  });

  it('joins the edits of two windows, and shows both values of a field that both changed', async () => {
    const { listing_pk, dashboard_url } = await make('Draft in two windows');
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page: first, problems } = await openWindow(browser, scene.url, view);
    await signIn(first, await scene.createSignInLink());
    const second = await context.newPage();
    second.on('pageerror', ({ message }) => problems.push(message));
    for (const page of [first, second]) {
      page.setDefaultTimeout(10_000);
      await page.goto(`${dashboard_url}/edit`);
    }
    await fillIn(first, 'Description', 'By the first window', 'All changes are saved.');
    await fillIn(second, 'Tags', 'second', 'All changes are saved.');
    expect(await second.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'By the first window',
    );
    expect(await second.getByRole('button', { name: 'Upload photos' }).isVisible()).toBe(false);

    await fillIn(first, 'Title', 'Title of the first', 'All changes are saved.');
    const changed = 'This draft was changed in another window or by your assistant.';
    await fillIn(second, 'Title', 'Title of the second', changed);
    await second.getByRole('definition').getByText('Title of the first').waitFor();
    const { listing } = (await read(listing_pk)).request;
    expect(listing).toMatchObject({ title: 'Title of the first', tags: ['second'] });
    await second.getByRole('button', { name: 'Use the saved value of Title' }).click();
    await second.locator('[data-editor-extent]').getByText('All changes are saved.').waitFor();
    expect(await second.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Title of the first');
    expect(problems).toEqual([]);
    await context.close();
  });

  it('saves a new listing as one draft, and continues with it', async () => {
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto('/dashboard/listings/new');
    await page.getByRole('textbox', { name: 'Title' }).fill('Typed once');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('textbox', { name: 'Description' }).fill('Thrown on the wheel.');
    await page.getByLabel('Find a category').fill('mug');
    await page.getByRole('button', { name: 'Find categories' }).click();
    await page.getByText('Drinkware > Mugs').waitFor();
    const said = page.locator('[data-editor-extent]');
    await said.getByText('Add a shop').waitFor();
    await page.getByLabel(/^ClayAndOak/).check();
    await page.getByLabel('Price, EUR', { exact: true }).waitFor({ state: 'detached' });
    expect(await said.textContent()).toContain('Not saved yet.');
    await page.getByLabel('Shipping profile', { exact: true }).first().selectOption({ index: 1 });
    await page.getByLabel('Return policy', { exact: true }).first().selectOption({ index: 1 });
    await page.getByLabel('Stock', { exact: true }).fill('4');
    await page.getByLabel('Price, USD', { exact: true }).fill('24.50');
    await said.getByText('Saved as a draft.').waitFor();
    expect(await page.locator('[data-editor-status]').textContent()).toBe('Saved as a draft.');
    await page.waitForURL(/listings\/\d+\/edit$/);
    // The closed tab has lost nothing.
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Typed once');
    const { listings } = await scene.assist<{ listings: { title: string }[] }>('listings_list', {
      limit: 100,
    });
    expect(listings.filter(({ title }) => title === 'Typed once')).toHaveLength(1);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('keeps the input without a connection, and after the session has ended', async () => {
    const { listing_pk, dashboard_url } = await make('Draft to keep');
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto(`${dashboard_url}/edit`);
    const title = page.getByRole('textbox', { name: 'Title' });
    const said = page.locator('[data-editor-extent]');
    await context.setOffline(true);
    await title.fill('Typed without a connection');
    await said.getByText('The connection broke.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said.getByText('The connection broke.').waitFor();
    await context.setOffline(false);
    await said.getByText('All changes are saved.').waitFor();
    expect((await read(listing_pk)).request.listing.title).toBe('Typed without a connection');

    await context.clearCookies();
    await title.fill('Typed without a session');
    await said.getByText('Your session has ended.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await said.getByText('Your session has ended.').waitFor();
    expect(await title.inputValue()).toBe('Typed without a session');
    await signIn(await context.newPage(), await scene.createSignInLink());
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed without a session' }).waitFor();
    await context.close();
  });

  it('says that a change is running, and goes on when it is done', async () => {
    const { listing_pk, dashboard_url } = await make('Changed by two', { state: 'publish' });
    const view: View = { width: DESKTOP, scheme: 'light', has_scripts: true };
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    page.setDefaultTimeout(10_000);
    await signIn(page, await scene.createSignInLink());
    await page.goto(`${dashboard_url}/edit`);
    const title = page.getByRole('textbox', { name: 'Title' });
    const action = { type: 'slow', ms: 4_000 };
    await scene.control('POST', '/faults', { rules: [{ operation: 'updateListing', times: 2, action }] });
    const changing = scene.assist('listing_update', { listing_pk, changes: { listing: { tags: ['slow'] } } });
    await title.fill('Typed in the meantime');
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Review' }).click();
          return page.locator('[data-editor-extent]').textContent();
        },
        { timeout: 6_000 },
      )
      .toContain('Another change of this listing is running.');
    await changing;
    await scene.control('DELETE', '/faults');
    expect(await title.inputValue()).toBe('Typed in the meantime');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('Typed in the meantime').first().waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Fills a field and waits until the form says what became of it. */
async function fillIn(page: Page, field: string, text: string, answer: string): Promise<void> {
  await page.getByRole('textbox', { name: field, exact: true }).fill(text);
  // Nothing has the focus when the answer arrives.
  await page.locator('h1').click();
  await page.locator('[data-editor-extent]').getByText(answer).waitFor();
}
