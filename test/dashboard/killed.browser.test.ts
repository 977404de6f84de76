import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAY, LINEN } from '../service.js';
import { DESKTOP, hasBrowser, openBrowser, openWindow, signIn } from './browser.js';
import { buildMugRequest, startScene, type Scene } from './scene.js';

type State = { listings: { shop_id: number; fields: { title: string } }[] };

const COUNT = 6;

describe.skipIf(!hasBrowser)('a batch whose server is killed', () => {
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

  const listCopies = async () =>
    (await scene.control<State>('GET', '/state')).listings
      .filter(({ shop_id }) => shop_id === LINEN.shop_id)
      .map(({ fields }) => fields.title)
      .filter((title) => title.startsWith('Mug to copy'))
      .sort();

  it('continues after the restart in the open page, and makes each copy once', async () => {
    const request = await buildMugRequest(scene, '', { state: 'publish', variations: undefined });
    const titles = Array.from({ length: COUNT }, (_, index) => `Mug to copy ${index + 1}`);
    const listing_pks: number[] = [];
    for (const title of titles) {
      const made = await scene.assist<{ listing_pk: number }>('listing_create', {
        ...request,
        shops: request.shops.filter(({ shop_id }) => shop_id === CLAY.shop_id),
        listing: { ...request.listing, title },
      });
      listing_pks.push(made.listing_pk);
    }
    const target = request.shops.find(({ shop_id }) => shop_id === LINEN.shop_id);
    const { batch_id } = await scene.assist<{ batch_id: string }>('batch_create', {
      select: { listing_pks },
      edits: [{ field: 'copy', op: 'to', shops: [{ ...target, price: 25 }] }],
    });
    await scene.control('POST', '/faults', {
      rules: [{ operation: 'createDraftListing', times: 100, action: { type: 'slow', ms: 700 } }],
    });

    const view = { width: DESKTOP, scheme: 'light', has_scripts: true } as const;
    const { context, page, problems } = await openWindow(browser, scene.url, view);
    await signIn(page, await scene.createSignInLink());
    await page.goto(`/dashboard/changes/${batch_id}`);
    await page.getByRole('button', { name: `Create ${COUNT} drafts in NordLinen` }).click();
    await page.locator('[data-live]').waitFor();
    await expect.poll(async () => (await listCopies()).length, { timeout: 60_000 }).toBeGreaterThan(1);
    await scene.kill();
    expect((await listCopies()).length).toBeLessThan(COUNT);
    // The last known state stays visible.
    expect(await page.locator('[data-live]').isVisible()).toBe(true);

    await scene.restart();
    await page.getByText(`${COUNT} changed`).first().waitFor({ timeout: 90_000 });
    expect(await listCopies()).toEqual(titles);
    const lost = problems.filter((text) => !/ERR_(?:CONNECTION|INCOMPLETE|EMPTY)/.test(text));
    expect(lost).toEqual([]);
    const { batches } = await scene.assist<{ batches: { counts: { ok: number } }[] }>('batches_list', {
      batch_id,
    });
    expect(batches[0]?.counts.ok).toBe(COUNT);
    await context.close();
  });
});
