import type { ListingJobResult } from '../../../answers.js';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toPublishResult } from '../../../../src/core/listings/run/results.js';
import type { ListingHistory } from '../../../../schemas/listing.js';
import { openAddon } from '../../../../src/sqlite.js';
import { watchPorts } from '../../../wrapped/ports.js';
import { buildMug, listTargets, startService, upload, type TestService } from '../../../service.js';

/** SQLite refuses any write that would end a job. */
const JOB_END = `BEFORE UPDATE OF status ON jobs WHEN new.status <> 'processing'`;
/** And those that record a completed step in a shop. */
const buildStepEnd = (step: string) =>
  `BEFORE UPDATE OF progress ON publications WHEN json_extract(new.progress, '$.done_at.${step}') IS NOT NULL`;

let service: TestService;
let targets: Awaited<ReturnType<typeof listTargets>>;
let photo: string;
/** Whether saves of publications fail from the next activation on. */
let isRefusedAfterActivation = false;
let isRefused = false;
beforeEach(async () => {
  isRefusedAfterActivation = false;
  isRefused = false;
  service = await startService(
    {},
    {
      wrapPorts: (ports) =>
        watchPorts(ports, (side, call) => {
          if (side === 'after' && call === 'marketplace.activateListing')
            isRefused = isRefusedAfterActivation;
          if (isRefused && side === 'before' && call === 'store.listings.savePublication') {
            throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
          }
        }),
    },
  );
  targets = await listTargets(service);
  photo = await upload(service, 'photo-01.jpg');
  // Makes sure it was read before.
  await service.call('listing_schema', { category_id: 1062 });
});
afterEach(() => service.close());

const create = (state: 'publish' | 'active', shops = targets.slice(0, 1)) =>
  service.call<ListingJobResult>('listing_create', buildMug(shops, { state, images: [{ url: photo }] }));

/** Returns a function that lifts the refusal. */
function refuse(what: string): () => void {
  const other = openAddon(join(service.data_dir, 'service.db'));
  other.exec(`CREATE TRIGGER refusal ${what} BEGIN SELECT RAISE(ABORT, 'refused for the test'); END`);
  return () => {
    other.exec('DROP TRIGGER refusal');
    other.close();
  };
}

async function listSteps({ listing_pk }: ListingJobResult) {
  const { history } = await service.call<{ history: ListingHistory }>('listing_get', {
    listing_pk,
    history: true,
  });
  return history.shops.flatMap(({ steps }) => steps.map(({ step, status }) => `${step}: ${status}`));
}

const countFees = async () => (await service.control<{ fees: unknown[] }>('GET', '/state')).fees.length;

const listPhotos = async () => {
  const { listings } = await service.control<{ listings: { images: unknown[] }[] }>('GET', '/state');
  return listings.map(({ images }) => images.length);
};

it.each([
  { until: 'a moment later', refused_ms: 1_500 },
  { until: 'after the job was given up', refused_ms: 3_000 },
])(
  'ends a job whose outcome could not be written once it can be, $until',
  { timeout: 30_000 },
  async ({ refused_ms }) => {
    const lift = refuse(JOB_END);
    const answer = create('active');
    await expect.poll(countFees, { timeout: 20_000 }).toBe(1);
    await delay(refused_ms);
    lift();
    const ended = await answer;
    expect([ended.status, ended.results?.[0]]).toMatchObject([
      'completed',
      { status: 'ok', activated: true },
    ]);
    expect(await listSteps(ended)).toEqual([
      'create: done',
      'images: done',
      'verify: done',
      'activate: done',
    ]);
    expect(await countFees()).toBe(1);
  },
);

it(
  'keeps completed steps whose save failed while something else was in progress',
  { timeout: 30_000 },
  async () => {
    await service.control('POST', '/faults', {
      rules: [{ operation: 'getListing', action: { type: 'slow', ms: 2_000 } }],
    });
    const lift = refuse(buildStepEnd('images'));
    const answer = create('publish');
    await expect.poll(listPhotos, { timeout: 20_000 }).toEqual([1]);
    await delay(500);
    lift();
    const ended = await answer;
    expect(ended.status).toBe('failed');
    const { account_id } = await service.app.core.accounts.getDefault();
    const [publication] = await service.app.store.listings.listPublications(
      account_id,
      Number(ended.listing_pk),
    );
    expect(publication?.progress).toMatchObject({
      done: expect.arrayContaining(['create', 'images', 'verify']),
      sending: {},
      images: { 0: { rank: 1 } },
    });

    const { listing_pk } = ended;
    const again = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'publish' });
    expect([again.status, again.results?.[0]?.status]).toEqual(['completed', 'ok']);
    expect(await listSteps(again)).toEqual(['create: done', 'images: done', 'verify: done']);
    expect(await listPhotos()).toEqual([1]);
  },
);

it('saves a shop whose outcome could not be saved with the end of the job', { timeout: 30_000 }, async () => {
  const [, slow] = targets;
  await service.control('POST', '/faults', {
    rules: [{ operation: 'getListing', shop_id: slow?.shop_id, action: { type: 'slow', ms: 2_000 } }],
  });
  const lift = refuse(buildStepEnd('verify'));
  const answer = create('publish', targets);
  await expect.poll(listPhotos, { timeout: 20_000 }).toEqual([1, 1]);
  await delay(500);
  lift();
  const ended = await answer;
  expect([ended.status, ended.results?.map(({ status }) => status)]).toEqual(['completed', ['ok', 'ok']]);
  const all = ['create: done', 'images: done', 'verify: done'];
  expect(await listSteps(ended)).toEqual([...all, ...all]);
});

it('reports a draft for no listing until it is saved for one, so that one of two equal listings adopts it', async () => {
  const createTwin = (key: string) =>
    service.call<ListingJobResult>(
      'listing_create',
      buildMug(targets.slice(0, 1), { state: 'publish', idempotency_key: key }),
    );
  const lift = refuse('BEFORE UPDATE OF listing_id ON publications WHEN new.listing_id IS NOT NULL');
  await service.control('POST', '/faults', {
    rules: ['commit_then_reset', 'reset'].map((type) => ({
      operation: 'createDraftListing',
      times: 1,
      action: { type },
    })),
  });
  const failed = [await createTwin('one'), await createTwin('other')];
  expect(failed.map(({ status, results }) => [status, results?.[0]?.details])).toEqual([
    ['failed', { step: 'create' }],
    ['failed', { step: 'create' }],
  ]);
  lift();
  const ids: (number | undefined)[] = [];
  for (const { listing_pk } of failed) {
    const { results } = await service.call<ListingJobResult>('listing_publish', {
      listing_pk,
      state: 'publish',
    });
    ids.push(results?.[0]?.listing_id);
  }
  const { listings } = await service.control<{ listings: { listing_id: number }[] }>('GET', '/state');
  expect(new Set(ids)).toEqual(new Set(listings.map(({ listing_id }) => listing_id)));
  expect(listings).toHaveLength(2);
});

it('reports the fee of a shop that fails after its activation, only in the job that found it', async () => {
  const { job_id, listing_pk } = await create('active');
  const { account_id } = await service.app.core.accounts.getDefault();
  const { listings } = service.app.store;
  const job = await listings.findJob(account_id, String(job_id));
  const [publication] = await listings.listPublications(account_id, Number(listing_pk));
  if (job?.kind !== 'publish' || !job.plan || !publication) throw new Error('it was just published');
  const { plan } = job;
  const [shop_plan] = plan.shops;
  if (!shop_plan) throw new Error('it has a shop');
  const failure = {
    step: 'verify' as const,
    error: { code: 'create_unknown' as const, params: {} },
    marketplace_status: 500,
  };
  const progress = { ...publication.progress, failure };
  const buildResult = (id: string) => toPublishResult({ plan, job_id: id }, shop_plan, progress, 1);
  expect(buildResult(job.job_id)).toMatchObject({
    status: 'error',
    activated: true,
    activation_cost_usd: 0.2,
  });
  expect(buildResult('another')).not.toHaveProperty('activation_cost_usd');
});

it('reports a fee in one job only when the activation could not be saved before the job failed', async () => {
  isRefusedAfterActivation = true;
  const failed = await create('active');
  expect([failed.status, failed.results?.[0]?.activation_cost_usd]).toEqual(['failed', 0.2]);
  isRefusedAfterActivation = isRefused = false;

  const { listing_pk } = failed;
  const again = await service.call<ListingJobResult>('listing_publish', { listing_pk, state: 'active' });
  expect(again.results?.[0]).not.toMatchObject({ activation_cost_usd: 0.2 });
  const { history } = await service.call<{ history: ListingHistory }>('listing_get', {
    listing_pk,
    history: true,
  });
  expect(history.fees.map(({ cost_usd }) => cost_usd)).toEqual([0.2]);
  expect(await countFees()).toBe(1);
});
