import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAddon } from '../../../src/sqlite.js';
import { ask } from '../raw.js';
import { ON_SQLITE, openWorld, START, type World } from '../world.js';

const LIMITS = { per_second: 2, per_day: 5000 };
const NOW = Date.parse(START);
const DAY_MS = 86_400_000;

type Limits = typeof LIMITS;

/** A call at the given number of milliseconds after `NOW`, by the clock of the process. */
function take({ store, clock }: World, at_ms: number, limits: Limits = LIMITS, account_id = 'a') {
  clock.set(NOW + at_ms - clock.now().getTime());
  return store.rates.take(account_id, limits);
}

function inspect({ store, clock }: World, at_ms: number, account_id = 'a') {
  clock.set(NOW + at_ms - clock.now().getTime());
  return store.rates.peek(account_id, LIMITS);
}

describe('within any second', () => {
  it('allows calls up to the limit, and returns when the next is allowed', async () => {
    const world = await openWorld();

    expect(await take(world, 0)).toEqual({ is_allowed: true, remaining_second: 1, remaining_day: 4999 });
    expect(await take(world, 400)).toEqual({ is_allowed: true, remaining_second: 0, remaining_day: 4998 });
    expect(await take(world, 900)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 100 });
    expect(await take(world, 999)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 1 });
    expect(await take(world, 1000)).toEqual({ is_allowed: true, remaining_second: 0, remaining_day: 4997 });
    expect(await take(world, 1000)).toEqual({ is_allowed: false, window: 'second', retry_after_ms: 400 });
  });

  it('returns the remaining calls without counting a call', async () => {
    const world = await openWorld();
    expect(await inspect(world, 0)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    expect(await inspect(world, 0)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    await take(world, 0);
    expect(await inspect(world, 500)).toEqual({ remaining_second: 1, remaining_day: 4999 });
    expect(await inspect(world, 1000)).toEqual({ remaining_second: 2, remaining_day: 4999 });
    expect(await inspect(world, DAY_MS)).toEqual({ remaining_second: 2, remaining_day: 5000 });
    expect(await inspect(world, DAY_MS, 'b')).toEqual({ remaining_second: 2, remaining_day: 5000 });
  });

  it('counts each account separately', async () => {
    const world = await openWorld();
    await take(world, 0);
    await take(world, 0);

    expect(await take(world, 0)).toMatchObject({ is_allowed: false });
    expect(await take(world, 0, LIMITS, 'b')).toMatchObject({ is_allowed: true, remaining_second: 1 });
  });

  it("holds the limit when one process's clock lags behind another's", async () => {
    const world = await openWorld();
    await take(world, 0);
    await take(world, 0);

    expect(await take(world, -200)).toEqual({
      is_allowed: false,
      window: 'second',
      retry_after_ms: 1200,
    });
  });

  it('does not wait for a clock that was set back', async () => {
    const world = await openWorld();
    await take(world, 0, { per_second: 1, per_day: 1 });

    expect(await take(world, -DAY_MS, { per_second: 1, per_day: 1 })).toEqual({
      is_allowed: true,
      remaining_second: 0,
      remaining_day: 0,
    });
  });
});

describe('within a second that the clock repeats', () => {
  it('does not count calls from before the clock was set back', async () => {
    const world = await openWorld();
    const limits = { per_second: 5, per_day: 5000 };
    for (let call = 0; call < 4; call += 1) await take(world, 0, limits);
    for (let call = 0; call < 4; call += 1) await take(world, -DAY_MS, limits);

    expect(await take(world, 0, limits)).toMatchObject({ is_allowed: true, remaining_second: 4 });
    await take(world, DAY_MS, limits);
    expect(await take(world, 0, limits)).toMatchObject({ is_allowed: true, remaining_second: 4 });
  });
});

describe('within a day', () => {
  it('counts from the first call, and starts again with the first call after 24 hours', async () => {
    const world = await openWorld();
    const limits = { per_second: 9, per_day: 2 };

    expect(await take(world, 0, limits)).toMatchObject({ is_allowed: true, remaining_day: 1 });
    expect(await take(world, DAY_MS - 5000, limits)).toMatchObject({ is_allowed: true, remaining_day: 0 });
    expect(await take(world, DAY_MS - 1000, limits)).toEqual({
      is_allowed: false,
      window: 'day',
      retry_after_ms: 1000,
    });
    expect(await take(world, DAY_MS + 7000, limits)).toMatchObject({ is_allowed: true, remaining_day: 1 });
    expect(await take(world, 2 * DAY_MS + 6999, limits)).toMatchObject({
      is_allowed: true,
      remaining_day: 0,
    });
    expect(await take(world, 2 * DAY_MS + 6999, limits)).toEqual({
      is_allowed: false,
      window: 'day',
      retry_after_ms: 1,
    });
  });

  it('does not count refused calls', async () => {
    const world = await openWorld();
    const limits = { per_second: 1, per_day: 10 };
    await take(world, 0, limits);
    for (let n = 0; n < 20; n += 1) await take(world, n, limits);

    expect(await take(world, 1000, limits)).toMatchObject({ remaining_day: 8 });
  });

  it('keeps its count across a restart', async () => {
    const first = await openWorld();
    await take(first, 0);
    await first.store.close();
    const second = await openWorld({ data_dir: first.data_dir });

    expect(await take(second, 5000)).toMatchObject({ remaining_day: 4998 });
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
  'never allows more calls in any second than the limit, and returns the exact wait: %s',
  async (_who, count) => {
    const first = await openWorld();
    const worlds = [first];
    while (worlds.length < count) worlds.push(await openWorld({ data_dir: first.data_dir }));
    const getWorld = (call: number) => worlds[call % worlds.length] ?? first;
    let account = 0;
    await fc.assert(
      fc.asyncProperty(
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
            expect(await take(getWorld(call), now - NOW, limits, account_id)).toEqual(expected);
            if (expected.is_allowed) passed.push(now);
          }
        },
      ),
      { numRuns: 50 },
    );
  },
);

it('never allows more calls than the limit when several stores count at once', async () => {
  const first = await openWorld();
  const second = await openWorld({ data_dir: first.data_dir });
  const third = await openWorld({ data_dir: first.data_dir });
  const takes = Array.from({ length: 30 }, (_, n) => [first, second, third][n % 3] ?? first);
  const taken = await Promise.all(takes.map((world) => take(world, 0, { per_second: 7, per_day: 99 })));

  expect(taken.filter((one) => one.is_allowed)).toHaveLength(7);
});

it('keeps few calls that are older than the last second', async () => {
  const world = await openWorld();
  const limits = { per_second: 1, per_day: 5000 };
  for (let call = 0; call < 100; call += 1) await take(world, call * 1000, limits);

  const kept = await ask(world.data_dir, 'SELECT called_at_ms FROM recent_calls', [], 'rates.db');
  expect(kept.length).toBeLessThan(20);
});

it.runIf(ON_SQLITE)('starts a store while another process holds the lock on the counters', async () => {
  const { data_dir } = await openWorld();
  const other = openAddon(join(data_dir, 'rates.db'));
  other.exec('BEGIN IMMEDIATE');
  const world = await openWorld({ data_dir });
  other.close();

  expect(await take(world, 0)).toMatchObject({ is_allowed: true });
});

it.runIf(ON_SQLITE)('starts again from zero when the file is damaged', async () => {
  const first = await openWorld();
  await take(first, 0);
  await first.store.close();
  writeFileSync(
    join(first.data_dir, 'rates.db'),
    'no database at all, but long enough to be looked at '.repeat(50),
  );
  const second = await openWorld({ data_dir: first.data_dir });

  expect(await take(second, 0)).toMatchObject({ remaining_day: 4999 });
  expect(second.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'the rate counters were damaged and begin anew' }),
  );
});
