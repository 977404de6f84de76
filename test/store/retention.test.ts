import BetterSqlite3 from 'better-sqlite3';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTwoAccounts, openWorld } from './world.js';

const STATUSES = ['pending', 'success', 'failed'] as const;
const BATCH = 300;

/** Deliveries of one account, one a minute, with statuses that follow no pattern; the first ones have all ended. */
function fill(sqlite: BetterSqlite3.Database, account_id: string, count: number): void {
  sqlite
    .prepare(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < :count)
       INSERT INTO events (account_id, event_id, event_type, payload, created_at)
       SELECT :account_id, 'evt_' || n, 'order.paid', NULL,
         strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || n || ' minutes') FROM n`,
    )
    .run({ account_id, count });
  sqlite
    .prepare(
      `INSERT INTO deliveries (account_id, event_id, event_type, url, attempt, status, created_at, step)
       SELECT account_id, event_id, event_type, 'https://a.example', 1,
         CASE WHEN n > 10250 AND n * 7919 % 11 = 0 THEN 'pending' WHEN n * 104729 % 13 < 9 THEN 'success' ELSE 'failed' END,
         created_at, 0
       FROM (SELECT *, row_number() OVER (ORDER BY created_at) AS n FROM events WHERE account_id = ?) ORDER BY n`,
    )
    .run(account_id);
  sqlite
    .prepare(
      `INSERT INTO delivery_totals
       SELECT account_id, status, count(*) FROM deliveries WHERE account_id = ? GROUP BY account_id, status
       ON CONFLICT DO UPDATE SET total = excluded.total`,
    )
    .run(account_id);
}

it(
  'deliveries go from the oldest on, and pages and totals are right after it',
  { timeout: 60_000 },
  async () => {
    const { store, clock, data_dir } = await openWorld();
    const { mine, other } = await createTwoAccounts(store);
    const sqlite = new BetterSqlite3(join(data_dir, 'service.db'));
    fill(sqlite, mine, 11_000);
    fill(sqlite, other, 150);
    const listKept = (account_id: string, status?: string) =>
      sqlite
        .prepare<[string, string | null], number>(
          'SELECT id FROM deliveries WHERE account_id = ? AND status = coalesce(?, status) ORDER BY id DESC',
        )
        .pluck()
        .all(account_id, status ?? null);
    async function checkPages(account_id: string) {
      for (const status of [undefined, ...STATUSES]) {
        const kept = listKept(account_id, status);
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

    // The other account is younger than this, and this one's ten thousandth is not.
    await checkPages(mine);
    await sweep('2026-01-01T00:51:00.000Z');
    expect([listKept(mine).length, listKept(other).length]).toEqual([10_950, 100]);
    await checkPages(mine);
    await checkPages(other);
    await sweep('2026-01-08T00:00:00.000Z');
    expect(listKept(mine).length).toBe(11_000 - 10_079);
    await checkPages(mine);
    // The rest is older now, but something has to be sent.
    await sweep('2027-01-01T00:00:00.000Z');
    const [oldest] = listKept(mine).slice(-1);
    expect(sqlite.prepare('SELECT status FROM deliveries WHERE id = ?').pluck().get(oldest)).toBe('pending');
    await checkPages(mine);
    // An account that has none left begins anew.
    await checkPages(other);
    expect(
      sqlite.prepare('SELECT sum(total) FROM delivery_totals WHERE account_id = ?').pluck().get(other),
    ).toBe(0);
    sqlite.prepare('DELETE FROM events WHERE account_id = ?').run(other);
    fill(sqlite, other, 230);
    await checkPages(other);
    sqlite.close();
  },
);
