import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { operations } from '../../../.build/tools/index.js';
import { alternate } from '../harness/numbers.mjs';
import { buildSettings, makeFolder, timeCalls } from '../harness/processes.mjs';

/*
 * Pages of deliveries, totals included, with 1,000,000 of them recorded beside 1,000, through the same gate as every call; and what
 * happens to each event, in the store. Filling takes some minutes.
 */

const SMALL = 1_000;
const LARGE = 1_000_000;
/** A read takes so little that what V8 does beside it is felt in a short round. */
const READS = { rounds: 31, calls: 100 };
const CYCLES = { rounds: 9, calls: 20 };
const CASES = [
  { name: 'first page', toQuery: () => ({}) },
  { name: 'first page of 100', toQuery: () => ({ limit: 100 }) },
  { name: 'failed ones', toQuery: () => ({ status: 'failed' }) },
  { name: 'pending ones', toQuery: () => ({ status: 'pending' }) },
  { name: 'one by id', toQuery: (rows) => ({ id: Math.floor(rows / 2) }) },
];

/** What happens to each event: recorded, taken, found to have failed, and planned again. */
const CYCLE = 'record, take, fail, plan the next';

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
    lines.push({ what: `deliveries, of ${LARGE.toLocaleString('en')}: ${name}`, ...rest, ...measured });
  }
  const cycles = await alternate(CYCLES.rounds, {
    ours: () => timeCalls(CYCLES.calls, () => large.cycle()),
    reference: () => timeCalls(CYCLES.calls, () => small.cycle()),
  });
  lines.push({ what: `deliveries, of ${LARGE.toLocaleString('en')}: ${CYCLE}`, ...rest, ...cycles });
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
  let cycles_done = 0;
  const operation = operations.find(({ id }) => id === 'webhooks_deliveries');
  const call = { caller: { account_id, credential: 'key' }, face: 'rest' };
  return {
    async list(query) {
      const outcome = await app.service.invoke(operation, { value: query }, call);
      if (!outcome.ok) throw new Error(outcome.error.error.message);
      if (outcome.output.deliveries.length === 0) throw new Error(`nothing at ${JSON.stringify(query)}`);
    },
    async cycle() {
      cycles_done += 1;
      const { webhooks } = app.store;
      const created_at = new Date().toISOString();
      const end = {
        status: 'failed',
        response_status_code: 500,
        error: 'status_500',
        completed_at: created_at,
      };
      const key = `cycle_${cycles_done}`;
      await webhooks.recordEvent({
        account_id,
        event_id: key,
        event_type: 'order.paid',
        payload: '{}',
        created_at,
        subject: key,
        change_key: key,
      });
      const [claimed] = await webhooks.claimDue(account_id, 60_000, 1);
      await webhooks.endDelivery(claimed, end, (health) => ({
        health,
        next: { step: 1, wait_ms: 24 * 60 * 60 * 1000 },
      }));
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
  sqlite.exec(
    'INSERT INTO delivery_totals SELECT account_id, status, count(*) FROM deliveries GROUP BY account_id, status',
  );
  sqlite.exec('COMMIT');
  sqlite.close();
}
