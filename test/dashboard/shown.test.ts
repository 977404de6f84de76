import type { UpdateResult } from '../answers.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/world/clock.js';
import { buildMug, listTargets, upload } from '../service.js';
import { startDashboard, type TestDashboard, type Visitor } from './visitor.js';

/* A page never lets a change overwrite a manual edit, whether it shows the edit or not. */

const MINUTE_MS = 60_000;

let dashboard: TestDashboard;
let visitor: Visitor;
let ahead_ms = 0;

beforeAll(async () => {
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead_ms) };
  dashboard = await startDashboard({ CONFIRM_SPENDING: 'off' }, { clock });
  visitor = await dashboard.signIn();
});
afterAll(() => dashboard.close());

type Made = { listing_pk: number; results: { listing_id: number }[] };

/** An active listing whose title was edited on Etsy in the first shop, as last read. */
async function makeEdited(): Promise<number> {
  const [target] = await listTargets(dashboard.service);
  const images = [{ url: await upload(dashboard.service, 'mug-front.jpg') }];
  const { listing_pk, results } = await dashboard.service.call<Made>('listing_create', {
    ...buildMug(target ? [target] : [], { images, state: 'active' }),
    idempotency_key: crypto.randomUUID(),
  });
  await dashboard.service.control('POST', `/listings/${results[0]?.listing_id}/edit`, {
    title: 'A title of other hands',
  });
  ahead_ms += 2 * MINUTE_MS;
  return listing_pk;
}

const change = (listing_pk: number) =>
  dashboard.service.call<UpdateResult>('listing_update', {
    listing_pk,
    changes: { listing: { title: 'A title of ours' } },
  });

it.each([
  ['the page that shows the edit', async (pk: number) => visitor.get(`/dashboard/listings/${pk}`)],
  [
    'the small photo of a list',
    async (pk: number) => visitor.get(`/dashboard/listings/${pk}/photos/first/160`),
  ],
  ['the stream of its progress', async (pk: number) => visitor.get(`/dashboard/listings/${pk}/events`)],
  ['the form that publishes it', async (pk: number) => visitor.post(`/dashboard/listings/${pk}/publish`)],
])('opening %s does not let a later change overwrite a manual edit', async (_name, open) => {
  const listing_pk = await makeEdited();
  await open(listing_pk);
  const { results } = await change(listing_pk);
  expect(results?.[0]).toMatchObject({ status: 'error', details: { code: 'DRIFT' } });
});
