import { afterEach, beforeEach, expect, it } from 'vitest';
import { openConsentPage, readAnswer } from '../../consent.js';
import { CLAY as OWNER } from '../../sandbox/harness.js';
import { buildMug, CLAY, startService, TARGETS, upload, type TestService } from '../../service.js';

type Job = {
  listing_pk: number;
  status: string;
  results: { status: string; listing_id?: number; error?: string; details?: { listing_id?: number } }[];
};

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

it('fails the shop in a running job, and finishes publishing after it is connected again', async () => {
  const { connecting, accounts } = service.app.core;
  const { account_id } = await accounts.getDefault();
  const shop = { account_id, shop_id: CLAY.shop_id };
  const url = await upload(service, 'mug-front.jpg');
  await service.control('POST', '/faults', {
    rules: [{ operation: 'createDraftListing', action: { type: 'commit_then_slow', ms: 1_000 } }],
  });
  const request = buildMug([TARGETS.clay], { state: 'publish', images: [{ url }] });
  const publishing = service.call<Job>('listing_create', request);
  const countDrafts = async () => {
    const { calls } = await service.control<{ calls: Record<string, number> }>('GET', '/state');
    return calls['createDraftListing'] ?? 0;
  };
  await expect.poll(countDrafts, { timeout: 20_000 }).toBe(1);
  await connecting.disconnect(shop);

  const job = await publishing;
  expect(job).toMatchObject({ status: 'completed', results: [{ status: 'error' }] });
  const { listings } = await service.control<{ listings: { listing_id: number }[] }>('GET', '/state');
  expect(job.results[0]?.details?.listing_id).toBe(listings[0]?.listing_id);
  expect(
    await service.refuse('listing_publish', { listing_pk: job.listing_pk, state: 'publish' }),
  ).toMatchObject({
    code: 'VALIDATION_FAILED',
  });

  const { consent_url } = await connecting.begin(account_id);
  const callback = await (await openConsentPage(consent_url)).submit({ user_id: OWNER.user_id });
  expect((await connecting.finish(readAnswer(callback))).outcome).toMatchObject({
    ok: true,
    is_known: false,
  });
  const finished = await service.call<Job>('listing_publish', {
    listing_pk: job.listing_pk,
    state: 'publish',
  });
  expect(finished.results).toMatchObject([{ status: 'ok', listing_id: listings[0]?.listing_id }]);
  expect(await connecting.disconnect(shop)).toMatchObject({ shop_name: 'ClayAndOak', listing_count: 1 });
});
