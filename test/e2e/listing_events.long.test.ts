import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.js';
import { CLAY, CLAY_READINESS, CLAY_RETURNS, CLAY_SHIPPING, send } from '../sandbox/harness.js';
import { buildEnvironment, openRest, startServe } from '../surfaces/faces.js';

/* A seller edits a listing on Etsy: the marketplace's message triggers one re-read. */

const PATIENT = { timeout: 45_000, interval: 100 };
const DRAFT = {
  state: 'publish',
  shops: [
    {
      shop_id: CLAY.shop_id,
      shipping_profile_id: CLAY_SHIPPING,
      return_policy_id: CLAY_RETURNS,
      processing_profile_id: CLAY_READINESS,
    },
  ],
  listing: {
    title: 'Stoneware mug',
    description: 'Thrown by hand.',
    listing_type: 'physical',
    taxonomy_id: 1062,
    price: 24.5,
    quantity: 4,
  },
};

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open() {
  const data_dir = await mkdtemp(join(tmpdir(), 'listing-events-'));
  closers.push(() => rm(data_dir, { recursive: true, force: true }));
  const served = await startServe(buildEnvironment(data_dir, { ORDER_POLL_SECONDS: 'off' }));
  closers.push(served.stop);
  const sandbox = await startSandbox({ database_file: join(data_dir, 'sandbox.db'), control: true });
  closers.push(sandbox.close);
  const control = (method: string, path: string, json?: unknown) =>
    send(`${sandbox.url}/_sandbox${path}`, method, { json });
  return { rest: openRest(served.url, served.key), control };
}

it('a manual edit is noticed within seconds, with one re-read although each message comes twice', async () => {
  const { rest, control } = await open();
  const made = await rest.call('listing_create', DRAFT);
  if (!made.ok) throw new Error(made.error.message);
  const { listing_pk, results } = made.output as { listing_pk: number; results: { listing_id: string }[] };
  const listing_id = Number(results[0]?.listing_id);

  const countLooks = async (): Promise<number> => {
    const { calls } = (await control('GET', '/state')).body as { calls: Record<string, number> };
    return calls['getListingsByListingIds'] ?? 0;
  };
  const getState = async (): Promise<unknown> => {
    const answer = await rest.call('listing_get', { listing_pk });
    if (!answer.ok) throw new Error(answer.error.message);
    return (answer.output as { shops: { state: unknown }[] }).shops[0]?.state;
  };
  // The first read, and the one triggered by the messages about its creation; the next is hours away.
  await expect.poll(countLooks, PATIENT).toBeGreaterThan(0);
  let before = -1;
  await expect
    .poll(
      async () => {
        const [last, now] = [before, await countLooks()];
        before = now;
        return now === last;
      },
      { timeout: 45_000, interval: 6_000 },
    )
    .toBe(true);

  await control('POST', '/settings', { webhook_copies: 2, batch_shows_inactive: true });
  await control('POST', `/listings/${listing_id}/edit`, { state: 'active', title: 'A mug by another name' });
  await expect.poll(getState, PATIENT).toBe('active');
  await new Promise((done) => setTimeout(done, 6_000));
  expect(await countLooks()).toBe(before + 1);
}, 120_000);
