import type { ListingJobResult } from '../../../answers.js';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld } from '../../../store/world.js';
import {
  buildMug,
  fixturePath,
  listTargets,
  startService,
  upload,
  type TestService,
} from '../../../service.js';

/** Applies once everything is set up; before, the client has its usual time. */
const IMPATIENT = { call_timeout_ms: 500, upload_timeout_ms: 500 };
const SETTINGS = { RECONCILE_SETTLE_MS: '500' };
const PHOTOS = ['photo-01.jpg', 'photo-02.jpg', 'photo-03.jpg'];
const HASHES = PHOTOS.map((name) =>
  createHash('sha256')
    .update(readFileSync(fixturePath(name)))
    .digest('hex'),
);

const LATE = '2099-01-01T00:00:00.000Z';

type World = {
  calls: Record<string, number>;
  listings: { listing_id: number; images: { rank: number; sha256: string }[] }[];
};

let service: TestService;
let body: object;
beforeEach(async () => {
  service = await startService(SETTINGS);
  const [target] = await listTargets(service);
  const photos = await Promise.all(PHOTOS.map((name) => upload(service, name)));
  body = buildMug([target as object], { state: 'publish', images: photos.map((url) => ({ url })) });
  // Makes the faults affect only the job.
  await service.call('listing_schema', { category_id: 1062 });
  await restart();
});
afterEach(() => service.close());

const restart = async (timeouts = IMPATIENT) => {
  const { data_dir } = service;
  await service.close({ keep: true });
  service = await startService(SETTINGS, { data_dir, timeouts });
};
const create = (idempotency_key: string) =>
  service.call<ListingJobResult>('listing_create', { ...body, idempotency_key });
const strike = (...rules: object[]) => service.control('POST', '/faults', { rules });
const listPhotos = async () => {
  const { listings } = await service.control<World>('GET', '/state');
  return listings.map(({ images }) =>
    [...images].sort((a, b) => a.rank - b.rank).map(({ sha256 }) => HASHES.indexOf(sha256)),
  );
};

describe('two listings with the same texts', () => {
  it('exchange drafts if one adopts that of the other, whose answer is still on its way', async () => {
    await strike(
      { operation: 'createDraftListing', action: { type: 'commit_then_slow', ms: 250 } },
      { operation: 'createDraftListing', action: { type: 'commit_then_reset' } },
    );
    const answers = await Promise.all([create('one'), create('other')]);
    const ids = answers.map(({ results }) => results?.[0]?.listing_id);
    const { listings } = await service.control<World>('GET', '/state');
    expect(answers.map(({ status, results }) => [status, results?.[0]?.status])).toEqual([
      ['completed', 'ok'],
      ['completed', 'ok'],
    ]);
    expect(listings).toHaveLength(2);
    expect(new Set(ids)).toEqual(new Set(listings.map(({ listing_id }) => listing_id)));
    expect(await listPhotos()).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });
});

describe('a photo', () => {
  it('is not taken for the previous one, which was refused, if its answer is lost', async () => {
    await strike(
      { operation: 'uploadListingImage', action: { type: 'status', status: 400, body: { error: 'no' } } },
      { operation: 'uploadListingImage', action: { type: 'commit_then_reset' } },
    );
    const { results } = await create('refused');
    expect(results?.[0]?.warnings?.filter(({ code }) => code === 'image_failed')).toEqual([
      {
        code: 'image_failed',
        level: 'warning',
        fields: ['images[0]'],
        reason: 'Photo 1 could not be sent: the marketplace answered 400 "no".',
      },
    ]);
    expect(await listPhotos()).toEqual([[1, 2]]);
  });

  it('is attached once if it arrives after its deadline', async () => {
    await strike({ operation: 'uploadListingImage', after: 1, action: { type: 'slow', ms: 750 } });
    const { results } = await create('late');
    expect(results?.[0]?.status).toBe('ok');
    expect(await listPhotos()).toEqual([[0, 1, 2]]);
  });

  it('is attached once if it was being sent when the service stopped', async () => {
    await strike({
      operation: 'uploadListingImage',
      after: 1,
      action: { type: 'commit_then_slow', ms: 350 },
    });
    const broken = create('stopped').catch(() => undefined);
    await expect.poll(listPhotos).toEqual([[0, 1]]);
    await restart();
    await broken;
    expect((await create('stopped')).results?.[0]?.status).toBe('ok');
    expect(await listPhotos()).toEqual([[0, 1, 2]]);
  });
});

describe('photos', () => {
  it('are no longer sent once another process has adopted the job', async () => {
    await strike({ operation: 'uploadListingImage', action: { type: 'commit_then_slow', ms: 400 } });
    const answer = create('taken');
    await expect.poll(listPhotos).toEqual([[0]]);
    const { listings } = (await openWorld({ data_dir: service.data_dir, start: LATE })).store;
    const [job] = await listings.listClaimableJobs();
    if (!job) throw new Error('no job is under way');
    const claimed = await listings.claimJob(job.account_id, job.job_id, 60_000);
    if (!claimed) throw new Error('the job could not be taken over');
    await delay(800);
    expect(await listPhotos()).toEqual([[0]]);

    await listings.releaseClaim(claimed);
    await service.app.core.listings.resume();
    expect((await answer).results?.[0]?.status).toBe('ok');
    expect(await listPhotos()).toEqual([[0, 1, 2]]);
  });
});

describe('an activation', () => {
  const NO_ANSWER = { type: 'status', status: 500, body: { error: 'no' } };

  /** It takes effect, its answer is lost, and the listing cannot be read until the job ends. */
  const loseTrack = async () => {
    await strike(
      { operation: 'updateListing', action: { type: 'commit_then_reset' } },
      { operation: 'getListing', after: 1, times: 30, action: NO_ANSWER },
    );
    const { listing_pk, results } = await create('lost');
    await service.control('DELETE', '/faults');
    expect(results?.[0]?.error).toMatch(
      /^It is not known whether the listing was activated and its fee was paid/,
    );
    return listing_pk;
  };

  beforeEach(() => {
    body = { ...body, state: 'active' };
  });

  it('is reported with its fee by the next job, even one that asks for a draft', async () => {
    const listing_pk = await loseTrack();
    const publish = () => service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
    expect((await publish()).results).toMatchObject([
      { status: 'ok', activated: true, activation_cost_usd: 0.2 },
    ]);
    expect(await publish()).toMatchObject({ status: 'unchanged' });
    const { fees } = await service.control<{ fees: unknown[] }>('GET', '/state');
    expect(fees).toHaveLength(1);
  });

  it('is reported with its fee if everything has been sold since', async () => {
    const listing_pk = await loseTrack();
    const { listings } = await service.control<World>('GET', '/state');
    await service.control('POST', `/listings/${listings[0]?.listing_id}/sell`, { quantity: 4 });
    const { results } = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'active',
    });
    expect(results).toMatchObject([{ status: 'ok', activated: true, activation_cost_usd: 0.2 }]);
    expect(results?.[0]?.warnings).toContainEqual(expect.objectContaining({ code: 'not_on_sale' }));
    const { fees } = await service.control<{ fees: unknown[] }>('GET', '/state');
    expect(fees).toHaveLength(1);
  });
});

describe('a service that stops', () => {
  it('stops between two steps and resumes at its next start', async () => {
    await strike({ operation: 'createDraftListing', action: { type: 'commit_then_slow', ms: 300 } });
    const broken = create('stopped').catch(() => undefined);
    await expect.poll(listPhotos).toEqual([[]]);
    await restart();
    await broken;
    await service.app.core.listings.resume();
    const { status, results } = await create('stopped');
    expect([status, results?.[0]?.status]).toEqual(['completed', 'ok']);
    expect(await listPhotos()).toEqual([[0, 1, 2]]);
  });

  it('keeps the outcome of a shop after the job failed for another shop', async () => {
    // All answers come in time, however busy the computer is.
    await restart({ call_timeout_ms: 30_000, upload_timeout_ms: 30_000 });
    const targets = await listTargets(service);
    const [stopped, quick] = targets.map(({ shop_id }) => shop_id);
    await strike(
      {
        operation: 'uploadListingImage',
        shop_id: stopped,
        times: PHOTOS.length,
        action: { type: 'commit_then_slow', ms: 450 },
      },
      { operation: 'getListing', shop_id: quick, action: { type: 'slow', ms: 400 } },
    );
    const answer = service.call<ListingJobResult>('listing_create', { ...body, shops: targets });
    // Its last step is in progress in the fast shop while the photos of the other are.
    await expect
      .poll(async () => (await service.control<World>('GET', '/state')).calls['getListing'])
      .toBe(1);
    await service.app.core.listings.stop();
    const { status, listing_pk } = await answer;
    const { account_id } = await service.app.core.accounts.getDefault();
    const publications = await service.app.store.listings.listPublications(account_id, Number(listing_pk));
    const findDone = (shop_id: number | undefined) =>
      publications.find((publication) => publication.shop_id === shop_id)?.progress.done;
    expect(status).toBe('processing');
    expect(findDone(quick)).toContain('verify');
    expect(findDone(stopped)).not.toContain('images');
    // Each of its writes was answered, so the next start has nothing to wait for.
    expect(publications.map(({ progress }) => progress.is_under_way)).toEqual([undefined, undefined]);
  });
});
