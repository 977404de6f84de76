import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { EndpointHealth } from '../../../src/core/ports/index.js';
import { openAddon } from '../../../src/sqlite.js';
import { getDatabase } from '../../postgres/world.js';
import { createTwoAccounts, ON_SQLITE, openWorld, START } from '../world.js';

const WELL: EndpointHealth = {
  is_enabled: true,
  switched_off_at: null,
  switch_off_reason: null,
  failing_since: null,
  last_failed_at: null,
};
const CLAIM_MS = 45_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Two accounts with one delivery each, ended or held. */
async function openDelivered({ is_ended }: { is_ended: boolean }) {
  const { store, clock, data_dir } = await openWorld();
  const [first = '', last = ''] = Object.values(await createTwoAccounts(store)).toSorted();
  for (const account_id of [first, last]) {
    await store.webhooks.changeEndpoint(account_id, () => ({
      account_id,
      url: 'https://example.com/hook',
      events: ['order.paid'],
      ...WELL,
      secret: 'whsec_new',
      previous_secrets: [],
    }));
    await store.webhooks.recordEvent({
      account_id,
      event_id: `evt_${account_id}`,
      event_type: 'order.paid',
      payload: '{}',
      created_at: START,
      subject: null,
      change_key: 'change',
    });
    const [delivery] = await store.webhooks.claimDue(account_id, CLAIM_MS, 1);
    const end = { status: 'success', response_status_code: 200, error: null, completed_at: START } as const;
    if (is_ended) await store.webhooks.endDelivery(delivery!, end, () => ({ health: WELL, next: null }));
  }
  return { store, clock, data_dir, first, last };
}

/** `touched` lists the deliveries changed from now on; those of the later account cannot be changed. */
async function openBroken(options: { is_ended: boolean }) {
  const { store, clock, data_dir, first, last } = await openDelivered(options);
  const sqlite = openAddon(join(data_dir, 'service.db'));
  onTestFinished(() => void sqlite.close());
  sqlite.exec(`CREATE TABLE touched (row TEXT NOT NULL)`);
  for (const change of ['UPDATE', 'DELETE']) {
    sqlite.exec(`
      CREATE TRIGGER touched_deliveries_${change} BEFORE ${change} ON deliveries BEGIN
        SELECT RAISE(ABORT, 'broken') WHERE old.account_id = '${last}';
        INSERT INTO touched VALUES ('delivery of ' || old.account_id);
      END;`);
  }
  const listTouched = () => sqlite.prepare('SELECT row FROM touched ORDER BY rowid').pluck().all();
  return { store, clock, listTouched, expected: [`delivery of ${first}`] };
}

it.runIf(ON_SQLITE)('ends abandoned deliveries one account at a time', async () => {
  const { store, clock, listTouched, expected } = await openBroken({ is_ended: false });
  clock.advance(DAY_MS);
  await expect(store.webhooks.endAbandoned('interrupted')).rejects.toThrow('broken');
  expect(listTouched()).toEqual(expected);
});

it.runIf(ON_SQLITE)('sweeps old deliveries one account at a time', async () => {
  const { store, clock, listTouched, expected } = await openBroken({ is_ended: true });
  clock.advance(2 * DAY_MS);
  await expect(store.retention.sweepDeliveries(DAY_MS, 9)).rejects.toThrow('broken');
  expect(listTouched()).toEqual(expected);
});

/**
 * Runs `work` while someone else holds the account's endpoint, and checks that it locks no delivery in the
 * meantime.
 */
async function whileEndpointIsTaken(data_dir: string, account_id: string, work: () => Promise<unknown>) {
  const connectionString = await getDatabase(data_dir);
  const [holder, looker] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([holder.connect(), looker.connect()]);
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM webhook_endpoints WHERE account_id = $1 FOR UPDATE', [account_id]);
    const working = work();
    await expect
      .poll(async () => {
        const waiting = await looker.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.rowCount;
      })
      .toBe(1);
    const deliveries = 'SELECT 1 FROM deliveries WHERE account_id = $1 FOR UPDATE NOWAIT';
    await expect(looker.query(deliveries, [account_id])).resolves.toMatchObject({ rowCount: 1 });
    await holder.query('COMMIT');
    return await working;
  } finally {
    await Promise.all([holder.end(), looker.end()]);
  }
}

it.skipIf(ON_SQLITE)('locks the endpoint before it ends abandoned deliveries', async () => {
  const { store, clock, data_dir, first } = await openDelivered({ is_ended: false });
  clock.advance(DAY_MS);
  const ended = await whileEndpointIsTaken(data_dir, first, () => store.webhooks.endAbandoned('interrupted'));
  expect(ended).toBe(2);
});

it.skipIf(ON_SQLITE)('locks the endpoint before it sweeps old deliveries', async () => {
  const { store, clock, data_dir, first } = await openDelivered({ is_ended: true });
  clock.advance(2 * DAY_MS);
  const swept = await whileEndpointIsTaken(data_dir, first, () => store.retention.sweepDeliveries(DAY_MS, 9));
  expect(swept).toBe(2);
});
