import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { operations } from '../../../.build/tools/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder, timeCalls } from '../harness/processes.mjs';

/*
 * Pages of deliveries, totals included, with 1,000,000 of them recorded beside 1,000, through the same gate as every call. Filling takes
 * some minutes.
 */

const SMALL = 1_000;
const LARGE = 1_000_000;
/** A read takes so little that what V8 does beside it is felt in a short round. */
const READS = { rounds: 31, calls: 100 };
const CASES = [
  { name: 'first page', toQuery: () => ({}) },
  { name: 'failed ones', toQuery: () => ({ status: 'failed' }) },
];

export async function measure() {
  const small = await open(SMALL);
  const large = await open(LARGE);
  const lines = [];
  const rest = { against: `of ${SMALL.toLocaleString('en')}`, unit: 'ms CPU', target: { most: 2 } };
  for (const { name, toQuery } of CASES) {
    const measured = await alternate(READS.rounds, {
      ours: () => timeCalls(READS.calls, () => large.list(toQuery(LARGE))),
      reference: () => timeCalls(READS.calls, () => small.list(toQuery(SMALL))),
    });
    lines.push({
      what: `deliveries, of ${LARGE.toLocaleString('en')}: ${name}`,
      ...rest,
      ...measured,
    });
  }
  await Promise.all([small.close(), large.close()]);
  return lines;
}

/** A service of its own with so many deliveries: 90 % arrived, 8 % failed, 2 % pending. */
async function open(count) {
  const folder = await makeFolder();
  const app = await compose(loadConfig({}, buildSettings(folder.path)), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  fill(join(folder.path, 'service.db'), account_id, count);
  const operation = operations.find(({ id }) => id === 'webhooks_deliveries');
  const call = { caller: { account_id, credential: 'key' }, face: 'rest' };
  return {
    async list(query) {
      const outcome = await app.service.invoke(operation, { value: query }, call);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
      if (outcome.output.deliveries.length === 0) throw new Error(`nothing at ${JSON.stringify(query)}`);
    },
    async close() {
      await app.close();
      await folder.remove();
    },
  };
}

function fill(file, account_id, count) {
  const sqlite = new BetterSqlite3(file);
  const created_at = new Date().toISOString();
  sqlite.exec('BEGIN IMMEDIATE');
  const payload = JSON.stringify({
    id: 'evt',
    type: 'order.paid',
    created_at,
    data: { note: 'x'.repeat(200) },
  });
  sqlite
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO events (account_id, event_id, event_type, payload, created_at, change_key)
       SELECT ?, 'evt_' || n, 'order.paid', ?, ?, 'change_' || n FROM numbers`,
    )
    .run(count, account_id, payload, created_at);
  sqlite
    .prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, step, due_at)
       SELECT ?, 'evt_' || n, 'order.paid', 'https://shop.example/hooks', 1,
         CASE WHEN n * 37 % 100 < 90 THEN 'success' WHEN n * 37 % 100 < 98 THEN 'failed' ELSE 'pending' END, ?, 0, ?
       FROM numbers`,
    )
    .run(count, account_id, created_at, '9999-01-01T00:00:00.000Z');
  sqlite
    .prepare(
      `INSERT INTO delivery_totals (account_id, status, total)
       SELECT account_id, status, count(*) FROM deliveries GROUP BY account_id, status`,
    )
    .run();
  sqlite.exec('COMMIT');
  sqlite.close();
}
