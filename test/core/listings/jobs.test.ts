import { expect, it, onTestFinished } from 'vitest';
import { createJobs } from '../../../src/core/listings/jobs.js';
import { buildEmptyProgress, type StepName } from '../../../src/core/listings/progress.js';
import { createEtsyClient } from '../../../src/marketplace/index.js';
import { createBlobFolder } from '../../../src/blobs/index.js';
import { createMedia } from '../../../src/media/index.js';
import { buildListing } from '../../store/listing_samples.js';
import { createRealClock } from '../../store/ports.js';
import { createTwoAccounts, openWorld } from '../../store/world.js';

const PATIENCE_MS = 5_000;
const PAST = '2000-01-01T00:00:00.000Z';
/** All that the plan asks for. */
const DONE: StepName[] = ['create', 'recover', 'verify'];
const FUTURE = '2099-01-01T00:00:00.000Z';

it('a job is run by the call that created it, also when a repeat of that call wants it first', async () => {
  const { account_id, created, store, jobs, asked } = await createJob({ done: DONE });
  const { job_id } = created.job;
  jobs.start(account_id, job_id);
  jobs.start(account_id, job_id, created);
  const job = await jobs.wait(account_id, job_id, { wait_ms: PATIENCE_MS });
  expect(asked).toEqual([]);
  expect(job.status).toBe('completed');
  expect(await store.listings.findJob(account_id, job_id)).toEqual(job);
});

it('a job that was created while the process stops is given back at once', async () => {
  const { account_id, created, store, jobs, asked } = await createJob({ done: [] });
  const { job_id, created_at } = created.job;
  await jobs.stop();
  jobs.start(account_id, job_id, created);
  const job = await jobs.wait(account_id, job_id, { wait_ms: PATIENCE_MS });
  expect(job.status).toBe('processing');
  await expect.poll(() => store.listings.listClaimableJobs(created_at)).toEqual([{ account_id, job_id }]);
  expect(asked).toEqual([]);
});

it('a job that was taken over before its creator came to it is left alone', async () => {
  const { account_id, created, store, jobs, asked } = await createJob({ done: [], expires_at: PAST });
  const { job_id } = created.job;
  const now = new Date().toISOString();
  const taken = await store.listings.claimJob(account_id, job_id, 'process_2', FUTURE, now);
  expect(taken).toMatchObject({ fence: 2 });
  jobs.start(account_id, job_id, created);
  const job = await jobs.wait(account_id, job_id, { wait_ms: 700 });
  expect(job.status).toBe('processing');
  expect(asked).toEqual([]);
});

it('a job whose creator came to it late, and is still alone with it, is run', async () => {
  const { account_id, created, jobs } = await createJob({ done: DONE, expires_at: PAST });
  jobs.start(account_id, created.job.job_id, created);
  const job = await jobs.wait(account_id, created.job.job_id, { wait_ms: PATIENCE_MS });
  expect(job.status).toBe('completed');
});

/** With everything done in both shops nothing is asked of the marketplace. */
async function createJob({ done, expires_at }: { done: StepName[]; expires_at?: string }) {
  const { store, log, data_dir } = await openWorld();
  const { mine: account_id } = await createTwoAccounts(store);
  const clock = createRealClock();
  const asked: string[] = [];
  const marketplace = createEtsyClient({
    clock,
    log,
    tokens: store.tokens,
    app_limits: store.app_limits,
    user_agent: 'test',
    keystring: 'key',
    shared_secret: 'secret',
    getApiUrl() {
      asked.push('for its address');
      return Promise.reject(new Error('nobody is there'));
    },
    getConsentUrl: () => Promise.reject(new Error('nobody is there')),
  });
  onTestFinished(() => marketplace.close());
  const blobs = createBlobFolder(`${data_dir}/blobs`);
  const media = createMedia({
    blobs,
    staging_dir: `${data_dir}/staging`,
    thumbnail_dir: `${data_dir}/thumbnails`,
    egress_allow_cidrs: [],
    allow_http_webhooks: false,
    user_agent: 'test',
  });
  const jobs = createJobs(
    { store, marketplace, media, blobs, clock, log },
    { process_id: 'process_1', reconcile_settle_ms: 0 },
  );
  const term = { ...jobs.buildTerm(), ...(expires_at && { expires_at }) };
  const listing = buildListing(account_id, { lease: term, now: clock.now().toISOString() });
  const answer = await store.listings.createListing(listing, 0);
  if (answer.match !== 'created' || !answer.job || !answer.lease) throw new Error('no job was created');
  const { job, lease } = answer;
  if (!job.plan) throw new Error('a new job has its plan');
  for (const { shop_id } of job.plan.shops) {
    await store.listings.savePublication(lease, shop_id, 5_000 + shop_id, { ...buildEmptyProgress(), done });
  }
  // A shop without a token is told so before anything is asked.
  const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: FUTURE, scopes: [] };
  for (const { shop_id } of job.plan.shops) await store.tokens.saveTokens({ account_id, shop_id }, tokens);
  return { account_id, created: { job, lease, term }, store, jobs, asked };
}
