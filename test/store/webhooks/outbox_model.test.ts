import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ClaimedDelivery, EndpointHealth, Store } from '../../../src/core/ports/index.js';
import type { TestClock } from '../ports.js';
import { ask } from '../raw.js';
import { openWorld } from '../world.js';

const WELL: EndpointHealth = {
  is_enabled: true,
  switched_off_at: null,
  switch_off_reason: null,
  failing_since: null,
  last_failed_at: null,
};
/** Longer than any generated run, so claims expire only in a crash. */
const CLAIM_MS = 600_000;
const OFF: EndpointHealth = { ...WELL, is_enabled: false, switch_off_reason: 'gone' };

/** Any single action. `pick` selects one of the current deliveries. */
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('record' as const), subject: fc.nat(2), key: fc.nat(40) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      pick: fc.nat(),
      how: fc.constantFrom('success', 'failure', 'last failure', 'gone'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take one' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('send again' as const), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end all' as const),
      hows: fc.array(fc.constantFrom('success', 'failure', 'last failure', 'gone'), { minLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const) }) },
);

it('invariants hold for any sequence of actions', { timeout: 300_000 }, async () => {
  const { store, clock, data_dir } = await openWorld();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
      runs += 1;
      const { account_id } = await store.accounts.createAccount(`run ${runs}`);
      const world = createWorld(store, clock, account_id);
      await world.apply({ do: 'set' });
      for (const each of actions) {
        await world.apply(each);
        expect(await listBroken(data_dir, account_id)).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

function createWorld(store: Store, clock: TestClock, account_id: string) {
  const { webhooks } = store;
  let held: ClaimedDelivery[] = [];
  let events = 0;
  const getTime = () => clock.now().toISOString();
  const keep = (taken: readonly ClaimedDelivery[]) => {
    // A delivery is claimed by one process at a time.
    for (const { id } of taken) expect(held.map((one) => one.id)).not.toContain(id);
    held = [...held, ...taken];
  };
  const pickId = async (pick: number) => {
    const { total, items } = await webhooks.listDeliveries(account_id, { limit: 100, offset: 0 });
    return total === 0 ? undefined : items[pick % items.length]?.id;
  };

  async function apply(one: Action): Promise<unknown> {
    clock.advance(1000);
    switch (one.do) {
      case 'record':
        return webhooks.recordEvent({
          account_id,
          event_id: `${account_id}_${(events += 1)}`,
          event_type: 'order.paid',
          payload: '{}',
          created_at: getTime(),
          subject: one.subject === 0 ? null : `order:${one.subject}`,
          change_key: `change:${one.key}`,
        });
      case 'claim':
        return keep(await webhooks.claimDue(account_id, CLAIM_MS, one.limit));
      case 'take one': {
        const id = await pickId(one.pick);
        const taken = id === undefined ? undefined : await webhooks.claimDelivery(account_id, id, CLAIM_MS);
        return keep(taken ? [taken] : []);
      }
      case 'send again': {
        const id = await pickId(one.pick);
        const past = id === undefined ? undefined : await webhooks.findDelivery(account_id, id);
        if (!past || past.status === 'pending') return undefined;
        const made = await webhooks.createClaimed(account_id, past.event_id, CLAIM_MS);
        return keep(made ? [made] : []);
      }
      case 'end':
        return end(one.pick, one.how);
      case 'end all': {
        const all = held.splice(0);
        const ended = all.map((delivery, n) => finish(delivery, one.hows[n % one.hows.length] ?? 'success'));
        return expect(await Promise.all(ended)).toEqual(all.map(() => true));
      }
      case 'crash':
        // The crashed process's claims expire, and the next process picks up its deliveries.
        clock.advance(CLAIM_MS);
        await webhooks.endAbandoned('interrupted');
        for (const delivery of held) expect(await finish(delivery, 'success')).toBe(false);
        held = [];
        return undefined;
      case 'set':
        return webhooks.changeEndpoint(account_id, () => ({
          account_id,
          url: 'https://shop.example/hooks',
          events: ['order.paid'],
          ...WELL,
          secret: 'whsec_new',
          previous_secrets: [],
        }));
      case 'delete':
        return webhooks.deleteEndpoint(account_id);
    }
  }

  async function end(pick: number, how: string): Promise<void> {
    const [delivery] = held.splice(held.length === 0 ? 0 : pick % held.length, 1);
    if (delivery) expect(await finish(delivery, how)).toBe(true);
  }

  function finish(delivery: ClaimedDelivery, how: string): Promise<boolean> {
    const status = how === 'success' ? ('success' as const) : ('failed' as const);
    const outcome = { status, response_status_code: null, error: null, completed_at: getTime() };
    const step = delivery.step === null || how !== 'failure' ? null : delivery.step + 1;
    return webhooks.endDelivery(delivery, outcome, () => ({
      health: how === 'gone' ? OFF : WELL,
      next: step === null ? null : { step, wait_ms: 0 },
    }));
  }

  return { apply };
}

/** Returns the promises that do not hold. */
async function listBroken(data_dir: string, account_id: string): Promise<string[]> {
  const queries = Object.entries(PROMISES).map(
    ([promise, sql]) => `SELECT '${promise}' AS promise FROM (${sql}) AS broken`,
  );
  const text = queries.join(' UNION ').replaceAll(':account_id', `'${account_id}'`);
  return (await ask<{ promise: string }>(data_dir, text)).map(({ promise }) => promise);
}

/** Queries that return rows breaking the promise. */
const PROMISES = {
  'stored totals match the actual row counts': `
    SELECT status FROM (
      SELECT status, 1 AS total FROM deliveries WHERE account_id = :account_id
      UNION ALL SELECT status, -total FROM delivery_totals WHERE account_id = :account_id
    ) AS counted GROUP BY 1 HAVING sum(total) <> 0`,
  'an event has at most one scheduled delivery': `
    SELECT event_id FROM deliveries
    WHERE account_id = :account_id AND status = 'pending' AND step IS NOT NULL GROUP BY event_id HAVING count(*) > 1`,
  'a delivered event is not scheduled again': `
    SELECT event_id FROM deliveries AS planned
    WHERE account_id = :account_id AND status = 'pending' AND claimed_by IS NULL AND EXISTS (
      SELECT 1 FROM deliveries WHERE account_id = :account_id AND event_id = planned.event_id AND status = 'success')`,
  'every waiting delivery has another of its subject, scheduled or in flight, to release it': `
    SELECT subject FROM deliveries AS waiting
    WHERE account_id = :account_id AND status = 'pending' AND due_at IS NULL AND claimed_by IS NULL AND NOT EXISTS (
      SELECT 1 FROM deliveries
      WHERE account_id = :account_id AND subject = waiting.subject AND status = 'pending' AND step IS NOT NULL
        AND (due_at IS NOT NULL OR claimed_by IS NOT NULL))`,
  'nothing is ready while an earlier event of its subject is still being attempted': `
    SELECT id FROM deliveries AS ready
    WHERE account_id = :account_id AND status = 'pending' AND subject IS NOT NULL AND step IS NOT NULL
      AND claimed_by IS NULL AND due_at IS NOT NULL AND EXISTS (
        SELECT 1 FROM deliveries AS own, deliveries AS first, deliveries AS planned
        WHERE own.account_id = :account_id AND own.event_id = ready.event_id AND own.attempt = 1
          AND first.account_id = :account_id AND first.subject = ready.subject AND first.attempt = 1 AND first.id < own.id
          AND planned.account_id = :account_id AND planned.event_id = first.event_id AND planned.status = 'pending' AND planned.step IS NOT NULL)`,
  'each pending delivery has a destination': `
    SELECT id FROM deliveries
    WHERE account_id = :account_id AND status = 'pending' AND claimed_by IS NULL AND NOT EXISTS (
      SELECT 1 FROM webhook_endpoints WHERE account_id = :account_id AND is_enabled = 1)`,
};
