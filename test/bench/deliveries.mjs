/*
 * How long pages of deliveries take with 1,000 and with 1,000,000 of them recorded, totals included, through the same gate as
 * every call. Prints medians, and the ratio that ought to stay below 2. Needs a build; takes some minutes.
 *
 *   node test/bench/deliveries.mjs [rows of the large one]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { compose } from '../../dist/src/compose.js';
import { loadConfig } from '../../dist/src/config.js';
import { operations } from '../../dist/tools/index.js';

const SMALL = 1_000;
const LARGE = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 25;
const CALLS = 20;
const CASES = [
  { name: 'first page', toQuery: () => ({}) },
  { name: 'first page of 100', toQuery: () => ({ limit: 100 }) },
  { name: 'failed ones', toQuery: () => ({ status: 'failed' }) },
  { name: 'pending ones', toQuery: () => ({ status: 'pending' }) },
  { name: 'deep offset', toQuery: (rows) => ({ offset: rows - 30 }) },
  { name: 'middle offset', toQuery: (rows) => ({ offset: Math.floor(rows / 2) }) },
  {
    name: 'failed ones, deep offset',
    toQuery: (rows) => ({ status: 'failed', offset: Math.floor(rows * 0.08) - 30 }),
  },
  {
    name: 'successes, deep offset',
    toQuery: (rows) => ({ status: 'success', offset: Math.floor(rows * 0.9) - 30 }),
  },
  { name: 'one by id', toQuery: (rows) => ({ id: Math.floor(rows / 2) }) },
];

/** What happens to each event: recorded, taken, found to have failed, and planned again. */
const CYCLE = 'record, take, fail, plan the next';

const small = await open(SMALL);
const large = await open(LARGE);
const rows = [];
for (const { name, toQuery } of CASES) {
  const times = { small: [], large: [] };
  // By turns, so that a busy moment of the machine hits both.
  for (let round = 0; round < ROUNDS; round += 1) {
    times.small.push(...(await measure(small, toQuery(SMALL))));
    times.large.push(...(await measure(large, toQuery(LARGE))));
  }
  rows.push({ name, small: median(times.small), large: median(times.large) });
}
const cycles = { small: [], large: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  for (let call = 0; call < CALLS / 4; call += 1) {
    cycles.small.push(await small.cycle());
    cycles.large.push(await large.cycle());
  }
}
rows.push({ name: CYCLE, small: median(cycles.small), large: median(cycles.large) });
await Promise.all([small.close(), large.close()]);

process.stdout.write(
  `| page of deliveries | ${SMALL.toLocaleString('en')} | ${LARGE.toLocaleString('en')} | ratio |\n`,
);
process.stdout.write('| --- | ---: | ---: | ---: |\n');
for (const { name, small: few, large: many } of rows) {
  process.stdout.write(
    `| ${name} | ${few.toFixed(2)} ms | ${many.toFixed(2)} ms | ${(many / few).toFixed(2)} |\n`,
  );
}

/** A service of its own with so many deliveries: 90 % arrived, 8 % failed, 2 % pending. */
async function open(count) {
  const data_dir = await mkdtemp(join(tmpdir(), 'bench-deliveries-'));
  const settings = {
    DATA_DIR: data_dir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_PER_DAY: '100000000',
  };
  const app = await compose(loadConfig({}, settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  fill(join(data_dir, 'service.db'), account_id, count);
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
      const claim = { owner: 'bench', now: created_at, until: '9999-01-01T00:00:00.000Z' };
      const end = {
        status: 'failed',
        response_status_code: 500,
        error: 'status_500',
        completed_at: created_at,
      };
      const key = `cycle_${cycles_done}`;
      const start = process.hrtime.bigint();
      await webhooks.recordEvent({
        account_id,
        event_id: key,
        event_type: 'order.paid',
        payload: '{}',
        created_at,
        subject: key,
        change_key: key,
      });
      const [claimed] = await webhooks.claimDue(account_id, claim, 1);
      await webhooks.endDelivery(claimed, end, (health) => ({
        health,
        next: { step: 1, due_at: '9999-01-01T00:00:00.000Z' },
      }));
      return Number(process.hrtime.bigint() - start) / 1e6;
    },
    async close() {
      await app.close();
      await rm(data_dir, { recursive: true, force: true });
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
       INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, step, seq, due_at)
       SELECT ?, 'evt_' || n, 'order.paid', 'https://shop.example/hooks', 1,
         CASE WHEN n * 37 % 100 < 90 THEN 'success' WHEN n * 37 % 100 < 98 THEN 'failed' ELSE 'pending' END, ?, 0, n, ?
       FROM numbers`,
    )
    .run(count, account_id, created_at, '9999-01-01T00:00:00.000Z');
  sqlite.exec('COMMIT');
  sqlite.close();
}

/** Milliseconds of some calls in a row. */
async function measure(service, query) {
  const times = [];
  for (let call = 0; call < CALLS; call += 1) {
    const start = process.hrtime.bigint();
    await service.list(query);
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  return times;
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
