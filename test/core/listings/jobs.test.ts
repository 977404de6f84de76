import { expect, it, onTestFinished } from 'vitest';
import { createJobs } from '../../../src/core/listings/jobs.js';
import { buildEmptyProgress } from '../../../src/core/listings/progress.js';
import { createEtsyClient } from '../../../src/marketplace/index.js';
import { createMedia } from '../../../src/media/index.js';
import { buildListing } from '../../store/listing_samples.js';
import { createRealClock } from '../../store/ports.js';
import { createTwoAccounts, openWorld } from '../../store/world.js';

const PATIENCE_MS = 5_000;

it('a job is run by the call that created it, also when a repeat of that call wants it first', async () => {
  const { account_id, created, store, jobs } = await createJobWithNothingLeft();
  jobs.start(account_id, created.job.job_id);
  jobs.start(account_id, created.job.job_id, created);
  const job = await jobs.wait(account_id, created.job.job_id, { wait_ms: PATIENCE_MS });
  expect(job.status).toBe('completed');
  expect(await store.listings.findJob(account_id, created.job.job_id)).toEqual(job);
});

it('a job that was created by a process that stops is there for the next one', async () => {
  const { account_id, created, store, jobs, data_dir } = await createJobWithNothingLeft();
  const { job_id } = created.job;
  await jobs.stop();
  jobs.start(account_id, job_id, created);
  expect(await jobs.wait(account_id, job_id, { wait_ms: PATIENCE_MS })).toMatchObject({
    status: 'processing',
  });
  await store.close();

  const { listings } = (await openWorld({ data_dir })).store;
  await listings.releaseDeadLeases();
  expect(await listings.listClaimableJobs(created.job.created_at)).toEqual([{ account_id, job_id }]);
});

/** In both shops everything is done already, so that nothing is asked of the marketplace. */
async function createJobWithNothingLeft() {
  const { store, log, data_dir } = await openWorld();
  const { mine: account_id } = await createTwoAccounts(store);
  const clock = createRealClock();
  const marketplace = createEtsyClient({
    clock,
    log,
    tokens: store.tokens,
    app_limits: store.app_limits,
    user_agent: 'test',
    keystring: 'key',
    shared_secret: 'secret',
    getApiUrl: () => Promise.reject(new Error('nothing is to be asked')),
    getConsentUrl: () => Promise.reject(new Error('nobody is to be asked')),
  });
  onTestFinished(() => marketplace.close());
  const media = createMedia({
    blob_dir: `${data_dir}/blobs`,
    staging_dir: `${data_dir}/staging`,
    thumbnail_dir: `${data_dir}/thumbnails`,
    egress_allow_cidrs: [],
    allow_http_webhooks: false,
    user_agent: 'test',
  });
  const jobs = createJobs(
    { store, marketplace, media, clock, log },
    { process_id: 'process_1', reconcile_settle_ms: 0 },
  );
  const listing = buildListing(account_id, { lease: jobs.buildTerm(), now: clock.now().toISOString() });
  const answer = await store.listings.createListing(listing, 0);
  if (answer.match !== 'created' || !answer.job || !answer.lease) throw new Error('no job was created');
  const { job, lease } = answer;
  for (const { shop_id } of job.plan.shops) {
    const progress = { ...buildEmptyProgress(), done: ['create' as const, 'verify' as const] };
    await store.listings.savePublication(lease, shop_id, 5_000 + shop_id, progress);
  }
  return { account_id, created: { job, lease }, store, jobs, data_dir };
}
