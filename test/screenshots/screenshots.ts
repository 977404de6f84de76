import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { hasBrowser, openBrowser, openWindow, signIn } from '../dashboard/browser.js';
import { buildMugRequest, startScene, type Scene } from '../dashboard/scene.js';
import { startReceiver } from '../webhooks/receivers.js';

const VIEW = { width: 1100, scheme: 'light', has_scripts: true } as const;
/** Their size in the README; they are taken at twice that. */
const SHOWN_WIDTH = 900;
const MAX_BYTES = 80_000;

/** The sandbox's shops with some listings, one of them unfinished, and a receiver that refuses. */
async function fill(scene: Scene): Promise<{ mug: number }> {
  const create = async (title: string, more: object = {}) =>
    (await scene.assist<{ listing_pk: number }>('listing_create', await buildMugRequest(scene, title, more)))
      .listing_pk;
  await create('Oak serving board with leather loop', { state: 'active', images: await photos(scene, 3) });
  await create('Linen table runner, washed, sea green', { state: 'active', images: await photos(scene, 5) });
  await scene.control('POST', '/faults', {
    rules: [
      {
        operation: 'createDraftListing',
        action: { type: 'status', status: 400, body: { error: 'Shop has reached its limit of drafts' } },
      },
    ],
  });
  await create('Stoneware bowl, speckled', { state: 'publish', images: await photos(scene, 7) });
  return { mug: await create('Stoneware mug, thrown by hand, 300 ml') };
}

async function photos(scene: Scene, first: number): Promise<{ url: string }[]> {
  const names = [first, first + 1].map((number) => `photo-${String(number).padStart(2, '0')}.jpg`);
  return Promise.all(names.map(async (name) => ({ url: await scene.upload(name) })));
}

/** Returns the picture's size in bytes. */
async function take(page: Page, name: string, height: number): Promise<number> {
  // Photos load only when scrolled into view.
  await page.evaluate(() =>
    Promise.all(
      [...document.images].map((image) => {
        image.loading = 'eager';
        return image.decode();
      }),
    ),
  );
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: VIEW.width, height }, fullPage: true });
  const file = fileURLToPath(new URL(`${name}.webp`, import.meta.url));
  const { size } = await sharp(png)
    .resize({ width: SHOWN_WIDTH * 1.5 })
    .webp({ quality: 78, effort: 6 })
    .toFile(file);
  return size;
}

it.skipIf(!hasBrowser)('the pictures of the dashboard are taken', async () => {
  const scene = await startScene({ RATE_LIMIT_PER_SECOND: '50', RATE_LIMIT_PER_DAY: '5000' });
  const browser = await openBrowser();
  const receiver = await startReceiver((response) => void response.writeHead(503).end());
  const { mug } = await fill(scene);
  await scene.assist('webhook_endpoint_set', { url: receiver.url });
  await scene.assist('webhook_test');
  const { batch_id } = await scene.assist<{ batch_id: string }>('batch_create', {
    select: { filter: { status: 'active' } },
    edits: [{ field: 'price', op: 'increase_percent', value: 10, round_to: 'x.90' }],
  });

  const { context, page } = await openWindow(browser, scene.url, VIEW);
  await signIn(page, await scene.createSignInLink());
  const sizes = [await take(page, 'today', 900)];
  await page.goto(`/dashboard/listings/${mug}/edit`);
  sizes.push(await take(page, 'editor', 1_000));
  await page.goto(`/dashboard/changes/${batch_id}`);
  sizes.push(await take(page, 'review', 900));
  expect(Math.max(...sizes)).toBeLessThan(MAX_BYTES);

  await context.close();
  await browser.close();
  await receiver.close();
  await scene.close();
});
