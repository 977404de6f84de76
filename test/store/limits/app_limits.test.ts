import { expect, it } from 'vitest';
import { openWorld } from '../world.js';

const READING = {
  per_second: 10,
  per_day: 10_000,
  remaining_today: 500,
  read_at_ms: 2_000,
  held_until_ms: 0,
};

it('keeps the newer reading and the longer hold, for each key', async () => {
  const { store } = await openWorld();
  const { app_limits } = store;
  expect(await app_limits.findAppLimits('key')).toBeUndefined();
  await app_limits.saveAppLimits('key', READING);
  await app_limits.saveAppLimits('key', {
    ...READING,
    remaining_today: 900,
    read_at_ms: 1_000,
    held_until_ms: 9,
  });
  expect(await app_limits.findAppLimits('key')).toEqual({ ...READING, held_until_ms: 9 });
  const newer = { ...READING, per_second: null, remaining_today: 499, read_at_ms: 3_000, held_until_ms: 5 };
  await app_limits.saveAppLimits('key', newer);
  expect(await app_limits.findAppLimits('key')).toEqual({ ...newer, held_until_ms: 9 });
  expect(await app_limits.findAppLimits('other')).toBeUndefined();
});

it('is there after a restart', async () => {
  const { store, data_dir } = await openWorld();
  await store.app_limits.saveAppLimits('key', READING);
  await store.close();
  const again = await openWorld({ data_dir });
  expect(await again.store.app_limits.findAppLimits('key')).toEqual(READING);
});
