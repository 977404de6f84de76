import { expect, it } from 'vitest';
import { openWorld } from '../world.js';

it("shows instances that change a bucket at once each other's changes, for each key", async () => {
  const first = await openWorld();
  const { clock, data_dir } = first;
  const second = await openWorld({ data_dir, clock });
  const stores = [first.store, second.store] as const;
  const changed = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      stores[index % 2 === 0 ? 0 : 1].app_limits.changeBucket('key', (bucket, now_ms) => ({
        bucket: { ...bucket, slots: [...bucket.slots, now_ms + index] },
        count: bucket.slots.length,
      })),
    ),
  );
  const counts = changed.map(({ count }) => count).toSorted((a, b) => a - b);
  expect(counts).toEqual(Array.from({ length: 40 }, (_, index) => index));
  const { bucket } = await first.store.app_limits.changeBucket('other', (kept) => ({ bucket: kept }));
  expect(bucket).toEqual({
    per_second: null,
    per_day: null,
    remaining_today: null,
    read_at_ms: 0,
    held_until_ms: 0,
    held_at_ms: 0,
    slots: [],
  });
});

it('keeps a bucket across a restart', async () => {
  const { store, data_dir } = await openWorld();
  const kept = {
    per_second: 10,
    per_day: 10_000,
    remaining_today: 500,
    read_at_ms: 2_000,
    held_until_ms: 9_000,
    held_at_ms: 3_000,
    slots: [4_000, 5_000],
  };
  await store.app_limits.changeBucket('key', () => ({ bucket: kept }));
  await store.close();
  const again = await openWorld({ data_dir });
  const { bucket } = await again.store.app_limits.changeBucket('key', (found) => ({ bucket: found }));
  expect(bucket).toEqual(kept);
});
