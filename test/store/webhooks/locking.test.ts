import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { EndpointHealth } from '../../../src/core/ports/index.js';
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

/**
 * Two accounts with a delivery each, which the first has ended or holds. From then on `touched` tells in which order rows are
 * changed, and the deliveries of the later account cannot be.
 */
async function openBroken({ is_ended }: { is_ended: boolean }) {
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
  const sqlite = new BetterSqlite3(join(data_dir, 'service.db'));
  onTestFinished(() => void sqlite.close());
  sqlite.exec(`CREATE TABLE touched (row TEXT NOT NULL)`);
  for (const change of ['UPDATE', 'DELETE']) {
    sqlite.exec(`
      CREATE TRIGGER touched_deliveries_${change} BEFORE ${change} ON deliveries BEGIN
        SELECT RAISE(ABORT, 'broken') WHERE old.account_id = '${last}';
        INSERT INTO touched VALUES ('delivery of ' || old.account_id);
      END;`);
  }
  sqlite.exec(`
    CREATE TRIGGER touched_endpoints BEFORE UPDATE ON webhook_endpoints BEGIN
      INSERT INTO touched VALUES ('endpoint of ' || old.account_id);
    END;`);
  const listTouched = () => sqlite.prepare('SELECT row FROM touched ORDER BY rowid').pluck().all();
  return { store, clock, listTouched, expected: [`endpoint of ${first}`, `delivery of ${first}`] };
}

it.runIf(ON_SQLITE)('what processes left behind ends account by account, the endpoint first', async () => {
  const { store, clock, listTouched, expected } = await openBroken({ is_ended: false });
  clock.advance(DAY_MS);
  await expect(store.webhooks.endAbandoned('interrupted')).rejects.toThrow('broken');
  expect(listTouched()).toEqual(expected);
});

it.runIf(ON_SQLITE)('what is old goes account by account, the endpoint first', async () => {
  const { store, clock, listTouched, expected } = await openBroken({ is_ended: true });
  clock.advance(2 * DAY_MS);
  await expect(store.retention.sweepDeliveries(DAY_MS, 9)).rejects.toThrow('broken');
  expect(listTouched()).toEqual(expected);
});
