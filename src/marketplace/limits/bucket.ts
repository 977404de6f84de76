import type { AppBucket, AppLimitStore } from '../../core/ports/store/app_limits.js';
import type { Clock } from '../../core/ports/world.js';

/** Calls per second of a personal application: assumed until the first answer reports the limit. */
const FIRST_LIMIT = 5;
/** The marketplace's sliding second, plus 20 ms for clocks that count whole milliseconds. */
const WINDOW_MS = 1_020;
/**
 * Maximum difference between the times that two calls take to arrive. A slower answer does not mean that its
 * call arrived later than that.
 */
export const MAX_WAY_MS = 300;

/** A slot whose call was answered, which shows how late the call may have arrived. */
export type AnsweredSlot = { free_at_ms: number; late_ms: number };

/** `wait_ms`: until a slot is free; 0 if one was taken, which is free again at `free_at_ms`. */
type SlotTaken = { bucket: AppBucket; now_ms: number; wait_ms: number; free_at_ms: number };

export function getRoom({ per_second }: Pick<AppBucket, 'per_second'>): number {
  return Math.max(1, per_second ?? FIRST_LIMIT);
}

/**
 * Takes one of the bucket's slots for a call. There are as many slots as calls are allowed per second, and
 * each is free again a second after its call arrived, so that no second has more calls.
 *
 * @param answered since slots were last taken
 */
export function takeSlot(bucket: AppBucket, now_ms: number, answered: readonly AnsweredSlot[]): SlotTaken {
  const corrected = [...bucket.slots];
  for (const { free_at_ms, late_ms } of answered) {
    const index = corrected.indexOf(free_at_ms);
    if (index !== -1) corrected.splice(index, 1);
    corrected.push(free_at_ms - MAX_WAY_MS + late_ms);
  }
  const free_at_ms = now_ms + WINDOW_MS + MAX_WAY_MS;
  const slots = corrected
    // A slot that frees up later than one taken now was taken before the clock was set back.
    .map((time) => Math.min(time, free_at_ms))
    .filter((time) => time > now_ms)
    .toSorted((a, b) => a - b);
  const next_ms = slots[slots.length - getRoom(bucket)] ?? now_ms;
  const wait_ms = Math.max(getHold(bucket, now_ms), next_ms - now_ms);
  const taken = wait_ms > 0 ? slots : [...slots, free_at_ms];
  return { bucket: { ...bucket, slots: taken }, now_ms, wait_ms, free_at_ms };
}

/**
 * How long calls are on hold. A hold that begins in the future was written before the clock was set back, and
 * is ignored.
 */
export function getHold({ held_at_ms, held_until_ms }: AppBucket, now_ms: number): number {
  return held_at_ms <= now_ms ? Math.max(0, held_until_ms - now_ms) : 0;
}

/** Holds all calls for this time, or longer if an earlier hold asked for that. */
export function holdBucket(bucket: AppBucket, now_ms: number, wait_ms: number): AppBucket {
  if (getHold(bucket, now_ms) >= wait_ms) return bucket;
  return { ...bucket, held_at_ms: now_ms, held_until_ms: now_ms + wait_ms };
}

/** A bucket that no other process shares. Its times are monotonic. */
export function createOwnBucket(clock: Pick<Clock, 'monotonic'>): AppLimitStore {
  let bucket: AppBucket = {
    per_second: null,
    per_day: null,
    remaining_today: null,
    read_at_ms: 0,
    held_until_ms: 0,
    held_at_ms: 0,
    slots: [],
  };
  return {
    changeBucket(_app, change) {
      const changed = change(bucket, clock.monotonic());
      ({ bucket } = changed);
      return Promise.resolve(changed);
    },
  };
}
