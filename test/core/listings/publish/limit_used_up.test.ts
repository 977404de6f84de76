import type { ListingJobResult } from '../../../answers.js';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/world/clock.js';
import { buildMug, listTargets, startService, upload } from '../../../service.js';

const HOURS_MS = 3 * 60 * 60 * 1000;

type World = { listings: { state: string; personalization: { instructions: string }[] }[]; fees: object[] };

it('sets an optional part later if the limit was used up, and activates nothing before', async () => {
  const prepared = await startService();
  const { data_dir } = prepared;
  const [target] = await listTargets(prepared);
  const images = [{ url: await upload(prepared, 'photo-01.jpg') }];
  await prepared.close({ keep: true });
  let ahead_ms = 0;
  const clock = {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + ahead_ms),
    monotonic: () => systemClock.monotonic() + ahead_ms,
  };
  const service = await startService({}, { data_dir, clock });
  onTestFinished(() => service.close());
  const readState = () => service.control<World>('GET', '/state');
  const action = { type: 'status', status: 429, headers: { 'retry-after': '7200' } };
  const rules = [{ operation: 'updateListingPersonalization', times: 1, action }];
  await service.control('POST', '/faults', { rules });

  const personalization = { enabled: true, instructions: 'A name', max_chars: 20 };
  const body = buildMug([target as object], { state: 'active', images, personalization });
  const first = await service.call<ListingJobResult>('listing_create', body);
  expect(first.results).toMatchObject([
    { status: 'error', error: expect.stringContaining('call listing_publish later to finish') },
  ]);
  const held = await readState();
  expect([held.listings.map(({ state }) => state), held.fees]).toEqual([['draft'], []]);

  ahead_ms = HOURS_MS;
  const { listing_pk } = first;
  const last = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  expect(last.results).toMatchObject([{ status: 'ok' }]);
  const { listings, fees } = await readState();
  expect(listings).toMatchObject([{ state: 'active', personalization: [{ instructions: 'A name' }] }]);
  expect(fees).toHaveLength(1);
});
