import type { ListingJobResult } from '../../../answers.js';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload } from '../../../service.js';

/** Longer than a repeat without a key counts as one. */
const LATER_MS = 11 * 60_000;

type World = { listings: { shop_id: number }[]; fees: unknown[] };

it('answers the call of a copy made with its confirm_token again much later, and creates nothing twice', async () => {
  const prepared = await startService();
  const { data_dir } = prepared;
  const [clay, linen] = await listTargets(prepared);
  const images = [{ url: await upload(prepared, 'photo-01.jpg') }];
  const { listing_pk } = await prepared.call<ListingJobResult>(
    'listing_create',
    buildMug([clay as object], { state: 'publish', images }),
  );
  await prepared.close({ keep: true });

  let ahead_ms = 0;
  const now = () => new Date(systemClock.now().getTime() + ahead_ms);
  const service = await startService({}, { data_dir, clock: { ...systemClock, now } });
  onTestFinished(() => service.close());
  const body = { listing_pk, shops: [{ ...linen, price: 30 }], state: 'active' };
  const copy = (more: object) =>
    service.call<ListingJobResult>('listing_copy', { ...body, ...more }, { face: 'mcp_http' });
  const { confirm_token: confirm } = await copy({});
  const made = await copy({ confirm });
  expect(made).toMatchObject({ status: 'completed', results: [{ status: 'ok', activated: true }] });

  ahead_ms = LATER_MS;
  expect(await copy({ confirm })).toMatchObject({
    job_id: made.job_id,
    results: made.results,
    warnings: expect.arrayContaining([expect.objectContaining({ code: 'replayed' })]) as unknown,
  });
  const { listings, fees } = await service.control<World>('GET', '/state');
  expect([listings.length, fees.length]).toEqual([2, 1]);
});
