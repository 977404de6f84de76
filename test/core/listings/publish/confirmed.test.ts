import type { ListingJobResult } from '../../../answers.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  buildMug,
  CLAY,
  LINEN,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/*
 * A call that brought its confirm_token and is repeated: the token's job answers it, whatever has happened to
 * the listing since.
 */

type World = { listings: { state: string }[]; fees: unknown[]; calls: Record<string, number> };

/** An assistant that cannot be asked, and therefore gets a token. */
const ASSISTANT = { face: 'mcp_http' } as const;

let service: TestService;
let listing_pk: number;

beforeEach(async () => {
  service = await startService();
  const images = [{ url: await upload(service, 'photo-01.jpg') }];
  const draft = buildMug(await listTargets(service), { images });
  ({ listing_pk = 0 } = await service.call<ListingJobResult>('listing_create', draft));
});
afterEach(() => service.close());

const readState = () => service.control<World>('GET', '/state');
const publish = (body: object) =>
  service.call<ListingJobResult>('listing_publish', { listing_pk, ...body }, ASSISTANT);

/** Requests a token, and makes the call with it. Returns its answer, and a function that repeats the call. */
async function confirm(body: object): Promise<{ done: ListingJobResult; confirmed: object }> {
  const { status, confirm_token } = await publish(body);
  expect(status).toBe('confirmation_required');
  const confirmed = { ...body, confirm: confirm_token };
  return { done: await publish(confirmed), confirmed };
}

describe('listing_publish with the token of a job', () => {
  const live = { state: 'active', shops: [CLAY.shop_id] };

  it('answers with that job if the listing was deactivated since, and activates nothing', async () => {
    const { done, confirmed } = await confirm(live);
    await publish({ state: 'inactive', shops: [CLAY.shop_id] });
    const before = await readState();
    expect(await publish(confirmed)).toMatchObject({
      job_id: done.job_id,
      warnings: [{ code: 'replayed', fields: ['confirm'] }],
    });
    expect(await readState()).toEqual(before);
    expect(before.listings.map(({ state }) => state)).toEqual(['inactive']);
  });

  it('answers with that job if the listing is active as requested', async () => {
    const { done, confirmed } = await confirm(live);
    expect(await publish(confirmed)).toMatchObject({
      status: 'completed',
      job_id: done.job_id,
      warnings: [{ code: 'replayed', fields: ['confirm'] }],
    });
    expect((await readState()).fees).toHaveLength(1);
  });

  it('answers with that job if one of its shops failed', async () => {
    await service.control('POST', '/faults', {
      rules: [
        {
          operation: 'createDraftListing',
          shop_id: LINEN.shop_id,
          action: { type: 'status', status: 400, body: { error: 'not in this shop' } },
        },
      ],
    });
    const { done, confirmed } = await confirm({ state: 'active', shops: [CLAY.shop_id, LINEN.shop_id] });
    expect(done.results?.map(({ status }) => status)).toEqual(['ok', 'error']);
    expect(await publish(confirmed)).toMatchObject({ job_id: done.job_id, results: done.results });
    expect((await readState()).fees).toHaveLength(1);
  });
});

describe('listing_publish in named shops, while its job runs', () => {
  const BOTH = { state: 'active', shops: [CLAY.shop_id, LINEN.shop_id] };

  it('joins that job, even if it has already activated one of them', async () => {
    const rules = [
      { operation: 'createDraftListing', shop_id: LINEN.shop_id, action: { type: 'slow', ms: 3_000 } },
    ];
    await service.control('POST', '/faults', { rules });
    const publishBoth = () => service.call<ListingJobResult>('listing_publish', { listing_pk, ...BOTH });
    const first = publishBoth();
    const isLive = async () =>
      (await service.call<{ shops: { state: string | null }[] }>('listing_get', { listing_pk })).shops.some(
        ({ state }) => state === 'active',
      );
    await expect.poll(isLive, { timeout: 10_000 }).toBe(true);
    const again = await publishBoth();
    const { job_id, results } = await first;
    expect(again).toMatchObject({ job_id, results, warnings: [{ code: 'replayed' }] });
    expect((await readState()).fees).toHaveLength(2);
  });
});
