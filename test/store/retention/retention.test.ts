import { expect, it } from 'vitest';
import { ask } from '../raw.js';
import { createTwoAccounts, openWorld } from '../world.js';

const STATUSES = ['pending', 'success', 'failed'] as const;
const BATCH = 300;

/** Deliveries of one account, one a minute, with statuses in no pattern; the first ones have all ended. */
async function fill(data_dir: string, account_id: string, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const times = numbers.map((n) =>
    new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 60_000).toISOString(),
  );
  for (let from = 0; from < count; from += 1000) {
    const some = numbers.slice(from, from + 1000);
    const events = some.map((n) => `('${account_id}', 'evt_${n}', 'order.paid', '${times[n - 1]}')`);
    await ask(
      data_dir,
      `INSERT INTO events (account_id, event_id, event_type, created_at) VALUES ${events.join(',')}`,
    );
    const deliveries = some.map(
      (n) =>
        `('${account_id}', 'evt_${n}', 'order.paid', 'https://a.example', 1, '${toStatus(n)}', '${times[n - 1]}', 0)`,
    );
    await ask(
      data_dir,
      `INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, step)
        VALUES ${deliveries.join(',')}`,
    );
  }
  await ask(data_dir, 'DELETE FROM delivery_totals WHERE account_id = ?', [account_id]);
  await ask(
    data_dir,
    `INSERT INTO delivery_totals
       SELECT account_id, status, count(*) FROM deliveries WHERE account_id = ? GROUP BY account_id, status`,
    [account_id],
  );
}

function toStatus(n: number): string {
  if (n > 10_250 && (n * 7919) % 11 === 0) return 'pending';
  return (n * 104_729) % 13 < 9 ? 'success' : 'failed';
}

it('sweeps deliveries oldest first, and keeps pages and totals correct', { timeout: 60_000 }, async () => {
  const { store, clock, data_dir } = await openWorld();
  const { mine, other } = await createTwoAccounts(store);
  await fill(data_dir, mine, 11_000);
  await fill(data_dir, other, 150);
  const listKept = async (account_id: string, status?: string) => {
    const rows = await ask<{ id: number; status: string }>(
      data_dir,
      'SELECT id, status FROM deliveries WHERE account_id = ? ORDER BY id DESC',
      [account_id],
    );
    return rows.filter((row) => status === undefined || row.status === status).map(({ id }) => id);
  };
  async function checkPages(account_id: string) {
    for (const status of [undefined, ...STATUSES]) {
      const kept = await listKept(account_id, status);
      for (const offset of [0, 5, 99, 100, 250, 640, 700, kept.length - 3, kept.length + 5]) {
        if (offset < 0) continue;
        const page = await store.webhooks.listDeliveries(account_id, { status, limit: 20, offset });
        expect(page.total).toBe(kept.length);
        expect(page.items.map(({ id }) => id)).toEqual(kept.slice(offset, offset + 20));
      }
    }
  }
  const sweep = async (before: string) => {
    for (;;) {
      const age_ms = clock.now().getTime() - Date.parse(before);
      const swept = await store.retention.sweepDeliveries(age_ms, BATCH);
      expect(swept).toBeLessThanOrEqual(BATCH);
      if (swept < BATCH) return;
    }
  };

  // All deliveries of the other account are newer, as is the ten-thousandth of this one.
  await checkPages(mine);
  await sweep('2026-01-01T00:51:00.000Z');
  expect([(await listKept(mine)).length, (await listKept(other)).length]).toEqual([10_950, 100]);
  await checkPages(mine);
  await checkPages(other);
  await sweep('2026-01-08T00:00:00.000Z');
  expect((await listKept(mine)).length).toBe(11_000 - 10_079);
  await checkPages(mine);
  // All the others are old enough now, but one is still to be sent.
  await sweep('2027-01-01T00:00:00.000Z');
  const [oldest] = (await listKept(mine)).slice(-1);
  expect(await ask(data_dir, 'SELECT status FROM deliveries WHERE id = ?', [oldest ?? 0])).toEqual([
    { status: 'pending' },
  ]);
  await checkPages(mine);
  // An account that has none left starts over.
  await checkPages(other);
  const totals = await ask<{ total: number }>(
    data_dir,
    'SELECT total FROM delivery_totals WHERE account_id = ?',
    [other],
  );
  expect(totals.map(({ total }) => total)).toEqual(totals.map(() => 0));
  await ask(data_dir, 'DELETE FROM events WHERE account_id = ?', [other]);
  await fill(data_dir, other, 230);
  await checkPages(other);
});
