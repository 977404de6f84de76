import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { operations } from '../../../.build/tools/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder, timeCalls } from '../harness/processes.mjs';

/*
 * Listings and their jobs with 100,000 kept beside 1,000: listed and asked for, through the same gate as every call.
 */

const SMALL = 1_000;
const LARGE = 100_000;
/** A read takes so little that what V8 does beside it is felt in a short round. */
const ROUNDS = 31;
const CALLS = 300;
const CASES = [
  { name: 'listings, of 100,000: list', run: (history) => history.call('listings_list', {}) },
  {
    name: 'listings, of 100,000: list of a status',
    run: (history) => history.call('listings_list', { status: 'incomplete', limit: 10 }),
  },
  {
    name: 'jobs, of 100,000: status',
    run: (history) => history.call('listing_create_status', { job_id: history.middle }),
  },
];

export async function measure() {
  const small = await open(SMALL);
  const large = await open(LARGE);
  const lines = [];
  for (const { name, run } of CASES) {
    const measured = await alternate(ROUNDS, {
      ours: () => timeCalls(CALLS, () => run(large)),
      reference: () => timeCalls(CALLS, () => run(small)),
    });
    lines.push({
      what: name,
      against: `of ${SMALL.toLocaleString('en')}`,
      unit: 'ms CPU',
      target: { most: 2 },
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
  const call = { caller: { account_id, credential: 'key' }, face: 'rest' };
  return {
    middle: `job_${count / 2}`,
    async call(id, input) {
      const operation = operations.find((one) => one.id === id);
      const outcome = await app.service.invoke(operation, { value: input }, call);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
    },
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
