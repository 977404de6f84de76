import { expect, it } from 'vitest';
import { openWorld } from '../world.js';

const COUNTED_MS = 1_320;

async function openTwo() {
  const first = await openWorld();
  const { clock, data_dir } = first;
  const second = await openWorld({ data_dir, clock });
  return { clock, stores: [first.store, second.store] as const };
}

it('gives as many places as there are to calls at the same time, and says when there is another', async () => {
  const { clock, stores } = await openTwo();
  const take = (index: number, room = 5) =>
    stores[index % 2 === 0 ? 0 : 1].app_limits.takeAppPlace('key', `${index}`, {
      room,
      counted_ms: COUNTED_MS,
    });
  const asked = await Promise.all(Array.from({ length: 40 }, (_, index) => take(index)));
  expect(asked.filter(({ wait_ms }) => wait_ms === 0)).toHaveLength(5);
  expect(new Set(asked.map(({ wait_ms }) => wait_ms))).toEqual(new Set([0, COUNTED_MS]));

  // One was answered, and counts for a second from when it arrived.
  const taken = asked.findIndex(({ wait_ms }) => wait_ms === 0);
  await stores[1].app_limits.freeAppPlace('key', `${taken}`, 1_000);
  expect((await take(50)).wait_ms).toBe(1_000);
  clock.advance(1_000);
  expect((await take(51)).wait_ms).toBe(0);
  expect((await take(52)).wait_ms).toBe(320);
  expect(await stores[0].app_limits.countAppPlaces('key', 0)).toBe(5);
  expect(await stores[0].app_limits.countAppPlaces('key', 500)).toBe(6);
  // Another application has its own, and a lane with less room finds none where another does.
  const other = await stores[1].app_limits.takeAppPlace('other', '53', { room: 1, counted_ms: COUNTED_MS });
  expect(other.wait_ms).toBe(0);
  clock.advance(320);
  expect([(await take(54, 1)).wait_ms > 0, (await take(55, 2)).wait_ms]).toEqual([true, 0]);
});

it('waits for no clock that was ahead', async () => {
  const { clock, stores } = await openTwo();
  const limits = { room: 1, counted_ms: COUNTED_MS };
  clock.set(600_000);
  expect((await stores[0].app_limits.takeAppPlace('key', 'ahead', limits)).wait_ms).toBe(0);
  clock.set(-600_000);
  expect((await stores[1].app_limits.takeAppPlace('key', 'now', limits)).wait_ms).toBe(COUNTED_MS);
});

it('takes each from what is left of the day', async () => {
  const { clock, stores } = await openTwo();
  const now_ms = clock.now().getTime();
  const told = { per_second: 100, per_day: 1_000, held_until_ms: 0, held_at_ms: 0 };
  await stores[0].app_limits.saveAppLimits(
    'key',
    { ...told, remaining_today: 30, read_at_ms: now_ms },
    now_ms,
  );
  const left = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      stores[index % 2 === 0 ? 0 : 1].app_limits.takeAppPlace('key', `${index}`, {
        room: 100,
        counted_ms: COUNTED_MS,
      }),
    ),
  );
  const remaining = left.map(({ remaining_today }) => remaining_today);
  expect(remaining.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 10),
  );
  expect(left.every(({ read_at_ms }) => read_at_ms === now_ms)).toBe(true);
});
