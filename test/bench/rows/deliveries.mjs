import { compose } from '../../../.build/src/compose.js';
import { loadConfig } from '../../../.build/src/config.js';
import { alternateEngines, ENGINES, timeCallsOn } from '../harness/engines.mjs';
import { toInvoke } from '../harness/invoke.mjs';

/*
 * Pages of deliveries, including totals, with 1,000,000 of them recorded compared with 1,000, through the
 * same gate as every call. Filling takes some minutes.
 */

const SMALL = 1_000;
const LARGE = 1_000_000;
const QUICK = 10_000;
/** A read is so quick that V8's other work matters in a short round. */
const READS = { rounds: 15, calls: 100 };
const CASES = [
  { name: 'first page', query: {} },
  { name: 'failed ones', query: { status: 'failed' } },
  { name: 'total', query: { limit: 1 } },
];

export async function measure({ is_quick }) {
  const opened = [];
  for (const engine of ENGINES) {
    const large = await open(engine, is_quick ? QUICK : LARGE);
    opened.push({ engine, small: await open(engine, SMALL), large });
  }
  const lines = [];
  const rest = { against: `of ${SMALL.toLocaleString('en')}`, unit: 'ms CPU', target: { most: 2 } };
  for (const { name, query } of CASES) {
    const sides = opened.map(({ engine, small, large }) => ({
      engine,
      ours: () => timeCallsOn(large.place, READS.calls, () => large.list(query)),
      reference: () => timeCallsOn(small.place, READS.calls, () => small.list(query)),
    }));
    for (const measured of await alternateEngines(READS.rounds, sides)) {
      lines.push({ what: `deliveries, of ${LARGE.toLocaleString('en')}: ${name}`, ...rest, ...measured });
    }
  }
  for (const { small, large } of opened) await Promise.all([small.close(), large.close()]);
  return lines;
}

/** A separate service with this many deliveries: 90 % succeeded, 8 % failed, 2 % pending. */
async function open(engine, count) {
  const place = await engine.openPlace();
  const app = await compose(loadConfig({}, place.settings), { is_http: false });
  const { account_id } = await app.core.accounts.getDefault();
  await app.core.endpoints.set(account_id, { url: 'https://shop.example/hooks' });
  await fill(place, account_id, count);
  const call = toInvoke(app, account_id);
  return {
    place,
    async list(query) {
      const { deliveries } = await call('webhooks_deliveries', query);
      if (deliveries.length === 0) throw new Error(`nothing at ${JSON.stringify(query)}`);
    },
    async close() {
      await app.close();
      await place.remove();
    },
  };
}

async function fill(place, account_id, count) {
  const created_at = new Date().toISOString();
  await place.insert(
    'events',
    toEach(count, (n) => ({
      account_id,
      event_id: `evt_${n}`,
      event_type: 'order.paid',
      created_at,
      change_key: `change_${n}`,
    })),
  );
  await place.insert(
    'deliveries',
    toEach(count, (n) => ({
      account_id,
      event_id: `evt_${n}`,
      event_type: 'order.paid',
      url: 'https://shop.example/hooks',
      attempt: 1,
      status: toStatus((n * 37) % 100),
      created_at,
      step: 0,
      due_at: '9999-01-01T00:00:00.000Z',
    })),
  );
  await place.ask(
    `INSERT INTO delivery_totals (account_id, status, total)
     SELECT account_id, status, count(*) FROM deliveries GROUP BY account_id, status`,
  );
  await place.settle();
}

function toStatus(percent) {
  if (percent < 90) return 'success';
  return percent < 98 ? 'failed' : 'pending';
}

function* toEach(count, make) {
  for (let n = 1; n <= count; n += 1) yield make(n);
}
