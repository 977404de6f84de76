import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWorld, START } from './world.js';

const LIMITS = { per_second: 2, per_day: 5000 };
const NOW = Date.parse(START);
const DAY_MS = 86_400_000;

describe('in any second', () => {
  it('lets the limit through and tells when there is room again', async () => {
    const { store } = await openWorld();
    const take = (at_ms: number) => store.rates.take('a', NOW + at_ms, LIMITS);

    expect(await take(0)).toEqual({ is_allowed: true, remaining_second: 1, remaining_day: 4999 });
    expect(await take(400)).toEqual({ is_allowed: true, remaining_second: 0, remaining_day: 4998 });
    expect(await take(900)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 100 });
    expect(await take(999)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 1 });
    expect(await take(1000)).toEqual({ is_allowed: true, remaining_second: 0, remaining_day: 4997 });
    expect(await take(1000)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 400 });
  });

  it('tells what is left without counting', async () => {
    const { store } = await openWorld();
    const look = (at_ms: number) => store.rates.look('a', NOW + at_ms, LIMITS);
    expect(await look(0)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    expect(await look(0)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    await store.rates.take('a', NOW, LIMITS);
    expect(await look(500)).toEqual({ remaining_second: 1, remaining_day: 4999 });
    expect(await look(1000)).toEqual({ remaining_second: 2, remaining_day: 4999 });
    expect(await look(DAY_MS)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    expect(await store.rates.look('b', NOW, LIMITS)).toEqual({ remaining_second: 2, remaining_day: 5000 });
  });

  it('counts each account alone', async () => {
    const { store } = await openWorld();
    await store.rates.take('a', NOW, LIMITS);
    await store.rates.take('a', NOW, LIMITS);

    expect(await store.rates.take('a', NOW, LIMITS)).toMatchObject({ is_allowed: false });
    expect(await store.rates.take('b', NOW, LIMITS)).toMatchObject({ is_allowed: true, remaining_second: 1 });
  });

  it('holds when a process lags behind another', async () => {
    const { store } = await openWorld();
    await store.rates.take('a', NOW, LIMITS);
    await store.rates.take('a', NOW, LIMITS);

    expect(await store.rates.take('a', NOW - 200, LIMITS)).toEqual({
      is_allowed: false,
      window: 'second',
      retry_after_ms: 1200,
    });
  });

  it('does not wait for a clock that was set back', async () => {
    const { store } = await openWorld();
    await store.rates.take('a', NOW, { per_second: 1, per_day: 1 });

    expect(await store.rates.take('a', NOW - DAY_MS, { per_second: 1, per_day: 1 })).toEqual({
      is_allowed: true,
      remaining_second: 0,
      remaining_day: 0,
    });
  });
});

describe('in a day', () => {
  it('counts from the first call, and begins anew with the first after 24 hours', async () => {
    const { store } = await openWorld();
    const take = (at_ms: number) => store.rates.take('a', NOW + at_ms, { per_second: 9, per_day: 2 });

    expect(await take(0)).toMatchObject({ is_allowed: true, remaining_day: 1 });
    expect(await take(DAY_MS - 5000)).toMatchObject({ is_allowed: true, remaining_day: 0 });
    expect(await take(DAY_MS - 1000)).toEqual({ is_allowed: false, window: 'day', retry_after_ms: 1000 });
    expect(await take(DAY_MS + 7000)).toMatchObject({ is_allowed: true, remaining_day: 1 });
    expect(await take(2 * DAY_MS + 6999)).toMatchObject({ is_allowed: true, remaining_day: 0 });
    expect(await take(2 * DAY_MS + 6999)).toEqual({ is_allowed: false, window: 'day', retry_after_ms: 1 });
  });

  it('does not count what was refused', async () => {
    const { store } = await openWorld();
    const limits = { per_second: 1, per_day: 10 };
    await store.rates.take('a', NOW, limits);
    for (let n = 0; n < 20; n += 1) await store.rates.take('a', NOW + n, limits);

    expect(await store.rates.take('a', NOW + 1000, limits)).toMatchObject({ remaining_day: 8 });
  });

  it('goes on over a restart', async () => {
    const first = await openWorld();
    await first.store.rates.take('a', NOW, LIMITS);
    await first.store.close();
    const second = await openWorld({ data_dir: first.data_dir });

    expect(await second.store.rates.take('a', NOW + 5000, LIMITS)).toMatchObject({ remaining_day: 4998 });
  });
});

function buildCalls({ most, longest_ms, calls }: { most: number; longest_ms: number; calls: number }) {
  return fc.tuple(
    fc.integer({ min: 1, max: most }),
    fc.array(fc.integer({ min: 0, max: longest_ms }), { minLength: 1, maxLength: calls }),
  );
}

it.each([
  ['one process', 1],
  ['two that take turns', 2],
])(
  'never lets more than the limit through in any second, and says exactly how long to wait: %s',
  async (_who, count) => {
    const first = await openWorld();
    const stores = [first.store];
    while (stores.length < count) stores.push((await openWorld({ data_dir: first.data_dir })).store);
    const getStore = (call: number) => stores[call % stores.length] ?? first.store;
    let account = 0;
    await fc.assert(
      fc.asyncProperty(
        // Of a large limit, calls that have left the second are taken out only now and then.
        fc.oneof(
          buildCalls({ most: 4, longest_ms: 700, calls: 40 }),
          buildCalls({ most: 60, longest_ms: 40, calls: 150 }),
        ),
        async ([per_second, steps]) => {
          const account_id = `account-${(account += 1)}`;
          const limits = { per_second, per_day: 1_000_000 };
          const passed: number[] = [];
          let now = NOW;
          for (const [call, step] of steps.entries()) {
            now += step;
            const inWindow = passed.filter((at) => at > now - 1000);
            const oldest = inWindow.at(-per_second);
            const expected =
              inWindow.length < per_second || oldest === undefined
                ? {
                    is_allowed: true,
                    remaining_second: per_second - inWindow.length - 1,
                    remaining_day: 999_999 - passed.length,
                  }
                : { is_allowed: false, window: 'second', retry_after_ms: oldest + 1000 - now };
            expect(await getStore(call).rates.take(account_id, now, limits)).toEqual(expected);
            if (expected.is_allowed) passed.push(now);
          }
        },
      ),
      { numRuns: 50 },
    );
  },
);

it('never lets more than the limit through when several stores take at once', async () => {
  const first = await openWorld();
  const second = await openWorld({ data_dir: first.data_dir });
  const third = await openWorld({ data_dir: first.data_dir });
  const takes = Array.from({ length: 30 }, (_, n) => [first, second, third][n % 3] ?? first);
  const taken = await Promise.all(
    takes.map(async ({ store }) => store.rates.take('a', NOW, { per_second: 7, per_day: 99 })),
  );

  expect(taken.filter((one) => one.is_allowed)).toHaveLength(7);
});

it('nobody is kept waiting by a store that is not alone and does nothing more', async () => {
  const { store, data_dir } = await openWorld();
  await openWorld({ data_dir });
  await store.rates.take('a', NOW, LIMITS);
  const other = new BetterSqlite3(join(data_dir, 'rates.db'), { timeout: 0 });

  expect(() => other.exec('BEGIN IMMEDIATE')).not.toThrow();
  other.close();
});

it('a store starts while another process holds the lock on the counters', async () => {
  const { data_dir } = await openWorld();
  const other = new BetterSqlite3(join(data_dir, 'rates.db'));
  other.exec('BEGIN IMMEDIATE');
  const { store } = await openWorld({ data_dir });
  other.close();

  expect(await store.rates.take('a', NOW, LIMITS)).toMatchObject({ is_allowed: true });
});

it('a rush is written too, together', async () => {
  const { store, data_dir } = await openWorld();
  const take = async () => store.rates.take('a', NOW, { per_second: 1000, per_day: 1000 });
  await Promise.all(Array.from({ length: 20 }, take));
  const other = new BetterSqlite3(join(data_dir, 'rates.db'), { readonly: true });
  const count = other.prepare('SELECT calls FROM days').pluck();

  await expect.poll(() => count.get(), { timeout: 20_000 }).toBe(20);
  expect(await take()).toMatchObject({ remaining_second: 979 });
  await expect.poll(() => count.get(), { timeout: 20_000 }).toBe(21);
  other.close();
});

it('begins anew when the file is damaged', async () => {
  const first = await openWorld();
  await first.store.rates.take('a', NOW, LIMITS);
  await first.store.close();
  writeFileSync(
    join(first.data_dir, 'rates.db'),
    'no database at all, but long enough to be looked at '.repeat(50),
  );
  const second = await openWorld({ data_dir: first.data_dir });

  expect(await second.store.rates.take('a', NOW, LIMITS)).toMatchObject({ remaining_day: 4999 });
  expect(second.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'the rate counters were damaged and begin anew' }),
  );
});
