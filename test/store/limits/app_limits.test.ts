import { expect, it } from 'vitest';
import { openWorld } from '../world.js';

const READING = {
  per_second: 10,
  per_day: 10_000,
  remaining_today: 500,
  read_at_ms: 2_000,
  held_until_ms: 0,
  held_at_ms: 0,
};
const NOW_MS = 4_000;

it('keeps the newer reading and the longer hold, for each key', async () => {
  const { store } = await openWorld();
  const { app_limits } = store;
  expect(await app_limits.findAppLimits('key')).toBeUndefined();
  await app_limits.saveAppLimits('key', READING, NOW_MS);
  const hold = { held_until_ms: 9, held_at_ms: 8 };
  const older = { ...READING, remaining_today: 900, read_at_ms: 1_000, ...hold };
  await app_limits.saveAppLimits('key', older, NOW_MS);
  expect(await app_limits.findAppLimits('key')).toEqual({ ...READING, ...hold });
  const newer = { ...READING, per_second: null, remaining_today: 499, read_at_ms: 3_000, held_until_ms: 5 };
  await app_limits.saveAppLimits('key', newer, NOW_MS);
  expect(await app_limits.findAppLimits('key')).toEqual({ ...newer, ...hold });
  expect(await app_limits.findAppLimits('other')).toBeUndefined();
});

it('keeps nothing of a clock that was ahead', async () => {
  const { store } = await openWorld();
  const { app_limits } = store;
  const ahead = { ...READING, read_at_ms: 5_000, held_until_ms: 9_000, held_at_ms: 5_000 };
  await app_limits.saveAppLimits('key', ahead, 5_000);
  await app_limits.saveAppLimits('key', READING, NOW_MS);
  expect(await app_limits.findAppLimits('key')).toEqual(READING);
});

it('is there after a restart', async () => {
  const { store, data_dir } = await openWorld();
  await store.app_limits.saveAppLimits('key', READING, NOW_MS);
  await store.close();
  const again = await openWorld({ data_dir });
  expect(await again.store.app_limits.findAppLimits('key')).toEqual(READING);
});
