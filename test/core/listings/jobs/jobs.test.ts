import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createJobs } from '../../../../src/core/listings/jobs/jobs.js';
import { SNAPSHOT_PARTS } from '../../../../src/core/listings/snapshot/read.js';
import type { Clock, Store } from '../../../../src/core/ports/index.js';
import { buildEmptyProgress, type StepName } from '../../../../src/core/ports/listing/progress.js';
import { createEtsyMarketplace } from '../../../../src/marketplace/index.js';
import { createBlobFolder } from '../../../../src/blobs/index.js';
import { createMedia } from '../../../../src/media/index.js';
import { buildListing } from '../../../store/samples/listing_samples.js';
import { createUploads } from '../../../../src/core/uploads/uploads.js';
import { randomIds } from '../../../../src/world/ids.js';
import { createRealClock } from '../../../store/ports.js';
import { createTwoAccounts, openWorld, START } from '../../../store/world.js';
import { systemRandomness } from '../../../../src/world/randomness.js';

const PATIENCE_MS = 5_000;
const CLAIM_MS = 60_000;
/** Everything the plan asks for. */
const DONE: StepName[] = ['create', 'recover', 'verify'];
const FUTURE = '2099-01-01T00:00:00.000Z';

it('runs a job once, however often it is started', async () => {
  const { account_id, job_id, store, jobs, wait, asked } = await createJob({ done: DONE });
  jobs.start(account_id, job_id);
  jobs.start(account_id, job_id);
  const job = await wait();
  expect(asked).toEqual([]);
  expect(job.status).toBe('completed');
  expect(await store.listings.findJob(account_id, job_id)).toEqual(job);
});

it('leaves a job created while the process stops to another process', async () => {
  const { account_id, job_id, store, jobs, wait, asked } = await createJob({ done: [] });
  await jobs.stop();
  jobs.start(account_id, job_id);
  expect((await wait()).status).toBe('processing');
  expect(await store.listings.listClaimableJobs()).toEqual([{ account_id, job_id }]);
  expect(asked).toEqual([]);
});

it('answers waiting callers when the process stops, even if the marketplace does not answer', async () => {
  const { account_id, job_id, jobs, wait, asked, answer } = await createJob({ done: [] });
  jobs.start(account_id, job_id);
  await expect.poll(() => asked.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  const waiting = wait(100 * PATIENCE_MS);
  const stopped = jobs.stop();
  expect((await waiting).status).toBe('processing');
  answer();
  await stopped;
});

it('does not touch a job that another process claimed first', async () => {
  const { account_id, job_id, openNeighbour, jobs, wait, asked } = await createJob({ done: [] });
  const neighbour = await openNeighbour();
  expect(await neighbour.listings.claimJob(account_id, job_id, CLAIM_MS)).toBeDefined();
  jobs.start(account_id, job_id);
  expect((await wait(700)).status).toBe('processing');
  expect(asked).toEqual([]);
});

it('runs a job of a process that is gone for a waiting caller, or when another process resumes jobs', async () => {
  for (const begin of ['wait', 'resume'] as const) {
    const { account_id, job_id, openNeighbour, jobs, wait } = await createJob({ done: DONE });
    const neighbour = await openNeighbour();
    expect(await neighbour.listings.claimJob(account_id, job_id, CLAIM_MS)).toBeDefined();
    await neighbour.close();
    if (begin === 'resume') await jobs.resume();
    expect((await wait()).status).toBe('completed');
    await jobs.stop();
  }
});

it('gives a job that runs longer than its claim to no other process', { timeout: 30_000 }, async () => {
  const clock = createFastClock();
  const { account_id, job_id, openNeighbour, jobs, wait, asked, answer } = await createJob({
    done: [],
    clock,
  });
  const neighbour = await openNeighbour();
  jobs.start(account_id, job_id);
  await expect.poll(() => asked.length, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  await clock.sleep(CLAIM_MS);
  expect(await neighbour.listings.listClaimableJobs()).toEqual([]);
  expect(await neighbour.listings.claimJob(account_id, job_id, CLAIM_MS)).toBeUndefined();
  answer();
  expect((await wait(10 * CLAIM_MS)).status).toBe('completed');
});

/** Runs twenty times as fast as real time. */
function createFastClock(): Clock {
  const real = createRealClock();
  const started_ms = real.monotonic();
  const getPassed_ms = () => 20 * (real.monotonic() - started_ms);
  return {
    now: () => new Date(Date.parse(START) + getPassed_ms()),
    monotonic: getPassed_ms,
    sleep: (duration_ms, signal) => real.sleep(duration_ms / 20, signal),
  };
}

/** With everything done in both shops, no marketplace call is needed. */
async function createJob({ done, clock = createRealClock() }: { done: StepName[]; clock?: Clock }) {
  const { store, log, data_dir } = await openWorld({ clock });
  const { mine: account_id } = await createTwoAccounts(store);
  const asked: string[] = [];
  const answering = new AbortController();
  const marketplace = createEtsyMarketplace({
    randomness: systemRandomness,
    clock,
    log,
    tokens: store.tokens,
    app_limits: store.app_limits,
    user_agent: 'test',
    own: { keystring: 'key', shared_secret: 'secret' },
    applications: store.applications,
    async getApiUrl() {
      asked.push('for its address');
      if (!answering.signal.aborted) await once(answering.signal, 'abort');
      throw new Error('no person is there');
    },
    getConsentUrl: () => Promise.reject(new Error('no person is there')),
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
  const limits = {
    drafts: 10,
    draft_bytes: 1_000_000,
    upload_bytes: 1_000_000,
    open_plans: 10,
    sheets: 10,
    saved_filters: 10,
  };
  const uploads = createUploads(
    { randomness: systemRandomness, store, media, blobs, ids: randomIds },
    { quotas: limits, base_url: 'http://localhost', upload_roots: [] },
  );
  const jobs = createJobs(
    { store, marketplace, media, blobs, clock, log, uploads },
    { role: 'both', reconcile_settle_ms: 0 },
  );
  const { job } = await createListing(store, account_id);
  const { job_id } = job;
  const claimed = await store.listings.claimJob(account_id, job_id, CLAIM_MS);
  if (!claimed) throw new Error('the job is not free');
  for (const { shop_id } of job.plan?.shops ?? []) {
    const progress = { ...buildEmptyProgress(), done };
    // Unknown parts of a listing would be read at the end.
    const snapshot = Object.fromEntries(SNAPSHOT_PARTS.map((part) => [part, []]));
    const publication = { shop_id, listing_id: 5_000 + shop_id, progress };
    await store.listings.savePublication(claimed, publication, [{ shop_id, snapshot }]);
    // A shop without a token fails before any call.
    const tokens = { access_token: 'a', refresh_token: 'r', access_expires_at: FUTURE, scopes: [] };
    await store.tokens.saveTokens({ account_id, shop_id }, tokens);
  }
  await store.listings.releaseClaim(claimed);
  const wait = (wait_ms = PATIENCE_MS) =>
    jobs.wait(account_id, job_id, { deadline_ms: clock.monotonic() + wait_ms });
  const openNeighbour = async () => (await openWorld({ data_dir, clock })).store;
  const answer = () => answering.abort();
  return { account_id, job_id, store, jobs, wait, asked, answer, openNeighbour };
}

async function createListing({ listings }: Store, account_id: string) {
  const answer = await listings.createListing(buildListing(account_id), 0);
  if (answer.match !== 'created' || !answer.job) throw new Error('no job was created');
  return { job: answer.job };
}
