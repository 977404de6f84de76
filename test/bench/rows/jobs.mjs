import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { operations } from '../../../.build/tools/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder, timeCalls } from '../harness/processes.mjs';

/*
 * Listings and their jobs with 100,000 kept beside 100: saved with a job, asked for, listed and ended, through the gate where there is
 * one and else in the store; and what the service itself looks for again and again.
 */

const SMALL = 100;
const LARGE = 100_000;
/** What writes adds to both, so that it runs no more often than this. */
const WRITES = { rounds: 9, calls: 100 };
/** A read takes so little that what V8 does beside it is felt in a short round. */
const READS = { rounds: 31, calls: 300 };
const CASES = [
  { name: 'create', ...WRITES, run: (history) => history.create() },
  { name: 'status', run: (history) => history.call('listing_create_status', { job_id: history.middle }) },
  { name: 'list', run: (history) => history.call('listings_list', {}) },
  {
    name: 'list of a status',
    run: (history) => history.call('listings_list', { status: 'incomplete', limit: 10 }),
  },
  { name: 'jobs of a listing', run: (history) => history.listOfOne() },
  { name: 'end', ...WRITES, run: (history) => history.end() },
  { name: 'look for what to go on with', run: (history) => history.resume() },
  { name: 'figures', run: (history) => history.count() },
];

export async function measure() {
  const small = await open(SMALL);
  const large = await open(LARGE);
  const lines = [];
  for (const { name, run, rounds, calls } of CASES.map((one) => ({ ...READS, ...one }))) {
    const measured = await alternate(rounds, {
      ours: () => timeCalls(calls, () => run(large)),
      reference: () => timeCalls(calls, () => run(small)),
    });
    lines.push({
      what: `jobs, of ${LARGE.toLocaleString('en')}: ${name}`,
      against: `of ${SMALL.toLocaleString('en')}`,
      unit: 'ms CPU',
      target: { most: 1.5 },
      ...measured,
    });
  }
  await Promise.all([small.close(), large.close()]);
  return lines;
}

/** A service of its own with so many listings, each with a job that has ended: one in ten of them incomplete. */
async function open(count) {
  const folder = await makeFolder();
  const app = await compose(loadConfig({}, buildSettings(folder.path)), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  fill(join(folder.path, 'service.db'), account_id, count);
  const { listings } = app.store;
  const call = { caller: { account_id, credential: 'key' }, face: 'rest' };
  const running = [];
  let made = 0;
  return {
    middle: `job_${count / 2}`,
    async call(id, input) {
      const operation = operations.find((one) => one.id === id);
      const outcome = await app.service.invoke(operation, { value: input }, call);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
    },
    async create() {
      made += 1;
      const name = `made_${made}`;
      const job = { job_id: name, state: 'publish', plan: PLAN };
      const binding = { key: name, digest: name };
      const { match } = await listings.createListing(
        { account_id, title: 'Mug', state: 'publish', request: REQUEST, warnings: [], binding, job },
        0,
      );
      if (match !== 'created') throw new Error(`the listing was ${match}`);
      running.push(name);
    },
    async end() {
      const lease = await listings.claimJob(account_id, running.shift(), 60_000);
      const end = { status: 'completed', publications: [], results: [], error_message: null };
      await listings.finishJob(lease, { ...end, listing_status: 'published' });
    },
    async listOfOne() {
      const jobs = await listings.listJobs(account_id, count / 2);
      if (jobs.length !== 1) throw new Error(`${jobs.length} jobs`);
    },
    resume: () => listings.listClaimableJobs(),
    count: () => app.store.getFigures(),
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}

const SHOP_ID = 48213377;
const REQUEST = {
  state: 'publish',
  shops: [{ shop_id: SHOP_ID }],
  listing: { title: 'Mug', description: 'x'.repeat(500), listing_type: 'physical', taxonomy_id: 1 },
};
const PLAN = {
  state: 'publish',
  images: [],
  videos: [],
  files: [],
  attributes: [],
  warnings: [],
  shops: [
    {
      shop_id: SHOP_ID,
      shop_name: 'Shop',
      currency_code: 'USD',
      draft: {
        ...REQUEST.listing,
        price: 40,
        quantity: 1,
        who_made: 'i_did',
        when_made: 'made_to_order',
        is_supply: false,
      },
      warnings: [],
    },
  ],
};

function fill(file, account_id, count) {
  const sqlite = new BetterSqlite3(file);
  const now = new Date().toISOString();
  const numbers = 'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)';
  sqlite.exec('BEGIN IMMEDIATE');
  sqlite
    .prepare(
      `${numbers}
       INSERT INTO listings (account_id, title, status, state, request, warnings, job_id, created_at, updated_at)
       SELECT ?, 'Mug', iif(n % 10 = 0, 'incomplete', 'published'), 'publish', ?, '[]', 'job_' || n, ?, ? FROM numbers`,
    )
    .run(count, account_id, JSON.stringify(REQUEST), now, now);
  sqlite
    .prepare(
      `${numbers}
       INSERT INTO jobs (account_id, job_id, listing_pk, state, status, plan, results, created_at, completed_at)
       SELECT ?, 'job_' || n, n, 'publish', 'completed', ?, '[]', ?, ? FROM numbers`,
    )
    .run(count, account_id, JSON.stringify(PLAN), now, now);
  sqlite
    .prepare(
      `${numbers}
       INSERT INTO publications (account_id, listing_pk, shop_id, listing_id, progress)
       SELECT ?, n, ?, n, '{}' FROM numbers`,
    )
    .run(count, account_id, SHOP_ID);
  sqlite
    .prepare(
      `INSERT INTO listing_totals (account_id, status, total, bytes)
       SELECT account_id, status, count(*), sum(octet_length(request)) FROM listings GROUP BY account_id, status`,
    )
    .run();
  sqlite
    .prepare(
      `INSERT INTO job_totals (account_id, status, total)
       SELECT account_id, status, count(*) FROM jobs GROUP BY account_id, status`,
    )
    .run();
  sqlite.exec('COMMIT');
  sqlite.close();
}
