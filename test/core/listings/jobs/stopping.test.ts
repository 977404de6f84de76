import type { ListingJobResult } from '../../../answers.js';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../../src/world/clock.js';
import { openWorld } from '../../../store/world.js';
import { buildMug, CLAY, listTargets, startService, upload, type TestService } from '../../../service.js';

type World = { listings: { state: string; images: unknown[] }[]; fees: unknown[] };

/** By then, the time the marketplace asked to wait is over. */
const LATER_MS = 600_000;
const EXPIRED_TOKEN = { error: 'invalid_token', error_description: 'access token is expired' };

let ahead_ms = 0;
const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };

let service: TestService;
let photo: string;
beforeEach(async () => {
  ahead_ms = 0;
  service = await startService({}, { clock });
  photo = await upload(service, 'photo-01.jpg');
});
afterEach(() => service.close());

/** Requests an active listing, has the photo upload answered like this, and waits until that has happened. */
async function createUntilRefused(action: object): Promise<{ job_id: string; account_id: string }> {
  const [target = {}] = await listTargets(service);
  await service.control('POST', '/faults', { rules: [{ operation: 'uploadListingImage', action }] });
  const { job_id } = await service.call<ListingJobResult>(
    'listing_create',
    buildMug([target], { state: 'active', images: [{ url: photo }] }),
    { wait_ms: 0 },
  );
  const countOpen = async () => {
    const { rules } = await service.control<{ rules: { remaining: number }[] }>('GET', '/faults');
    return rules.filter(({ remaining }) => remaining > 0).length;
  };
  await expect.poll(countOpen, { timeout: 20_000 }).toBe(0);
  await delay(500);
  const { account_id } = await service.app.core.accounts.getDefault();
  return { job_id: String(job_id), account_id };
}

/** The process is gone when this resolves; the next one on the folder finishes the job. */
async function restart(): Promise<void> {
  const { data_dir } = service;
  await service.close({ keep: true });
  ahead_ms = LATER_MS;
  service = await startService({}, { clock, data_dir });
  await service.app.core.listings.resume();
}

/** The marketplace's state once the job has finished. */
async function findMade({ job_id, account_id }: { job_id: string; account_id: string }) {
  const find = async () => (await service.app.store.listings.findJob(account_id, job_id))?.status;
  await expect.poll(find, { timeout: 20_000 }).toBe('completed');
  const { listings, fees } = await service.control<World>('GET', '/state');
  return { listings: listings.map(({ state, images }) => [state, images.length]), fees: fees.length };
}

const MADE_ONCE = { listings: [['active', 1]], fees: 1 };

it.each([
  { who: 'the job', seconds: 300 },
  { who: 'the client', seconds: 45 },
])(
  'does not wait for a Retry-After of $seconds s, which $who sleeps through, when the process stops',
  { timeout: 30_000 },
  async ({ seconds }) => {
    const headers = { 'retry-after': String(seconds) };
    const job = await createUntilRefused({ type: 'status', status: 429, headers, body: { error: 'later' } });
    await restart();
    expect(await findMade(job)).toEqual(MADE_ONCE);
  },
);

it(
  "does not wait for another process that refreshes the shop's tokens when the process stops",
  { timeout: 30_000 },
  async () => {
    const { store } = await openWorld({ data_dir: service.data_dir, clock });
    const { account_id } = await service.app.core.accounts.getDefault();
    const done = new AbortController();
    const [target] = await listTargets(service);
    const shop = { account_id, shop_id: target?.shop_id ?? CLAY.shop_id };
    const held = store.tokens.withRefreshLock(shop, async () => once(done.signal, 'abort'));
    const job = await createUntilRefused({ type: 'status', status: 401, body: EXPIRED_TOKEN });
    const restarting = restart();
    await expect.poll(() => ahead_ms, { timeout: 20_000 }).toBe(LATER_MS);
    done.abort();
    await Promise.all([held, restarting]);
    expect(await findMade(job)).toEqual(MADE_ONCE);
  },
);
