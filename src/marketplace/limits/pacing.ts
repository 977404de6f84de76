import type { AppBucket, AppLimits, AppLimitStore } from '../../core/ports/store/app_limits.js';
import type { Clock, Log } from '../../core/ports/world.js';
import {
  createOwnBucket,
  getHold,
  getRoom,
  holdBucket,
  MAX_WAY_MS,
  takeSlot,
  type AnsweredSlot,
} from './bucket.js';
import type { RateReading } from './rate_headers.js';

/**
 * The priority of a call. Interactive calls go first. Of a day's calls, a part is reserved for them, and
 * another one for work.
 */
export type Lane = 'interactive' | 'work' | 'background';

/** Thrown for a call that would have to wait longer than a call may. It has not been sent. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
  readonly wait_ms: number;
  constructor(wait_ms: number) {
    super(`The marketplace's limits leave no room for ${Math.ceil(wait_ms / 1000)} seconds.`);
    this.wait_ms = wait_ms;
  }
}

type Answered = (round_trip_ms: number) => void;

/** The limits of one application's key, shared by all calls of a client and by all processes with the key. */
export type Pacing = {
  /**
   * Resolves when the call may be sent; within a lane, calls are sent in the order in which they asked. Call
   * the function that it resolves to when the answer has arrived. Throws TooLongError, or the signal's
   * reason.
   */
  enter(lane: Lane, signal?: AbortSignal): Promise<Answered>;
  learn(reading: RateReading): void;
  /** Calls that may be sent now: within a second, and today as last reported. */
  getLeft(): { per_second: number; today: number | undefined };
  /** As last reported. */
  getLimits(): AppLimits;
  /** Sends nothing for this long, after a 429. */
  hold(wait_ms: number): void;
  /** Rejects waiting and all later calls with this reason. */
  close(reason: Error): void;
};

type PacingOptions = {
  /** Omitted if no other process uses the key. */
  store?: AppLimitStore | undefined;
  /** The application's keystring. */
  app: string;
  clock: Clock;
  log: Log;
};

/** A longer hold is reported to the caller instead of being waited out. */
export const MAX_HOLD_MS = 60_000;
const LANES = ['interactive', 'work', 'background'] as const;
/** The share of a day's calls that a lane leaves to the lanes before it. */
const DAY_RESERVE_SHARE: Record<Lane, number> = { interactive: 0, work: 0.01, background: 0.1 };
/** An older reading of the day's calls holds no call back, so that the call's answer brings a new one. */
const DAY_READING_MS = 60_000;
/** How often to share a reading that differs only in the number of calls left, with the same limits. */
const SHARING_MS = 1_000;
/** After the store failed, calls do without it for this time, since each would wait for its lock. */
const ALONE_MS = 5_000;
/**
 * The shortest round trip grows by this much with each answer, so that it follows a route that becomes
 * longer.
 */
const FORGOTTEN_MS = 0.2;

type Waiter = { resolve(answered: Answered): void; reject(reason: unknown): void };

export function createPacing({ store, app, clock, log }: PacingOptions): Pacing {
  const own_bucket = createOwnBucket(clock);
  const queues: Record<Lane, Waiter[]> = { interactive: [], work: [], background: [] };
  let closed: Error | undefined;
  let limits: AppLimits = { per_second: null, per_day: null, remaining_today: null };
  let getAlone = startCountdown(clock, 0);
  let getHeld = startCountdown(clock, 0);
  let getFresh = startCountdown(clock, 0);
  let getShared = startCountdown(clock, 0);
  let busy = { slots: 0, getLeft: startCountdown(clock, 0) };
  /** The shortest recent round trip. */
  let quickest_ms = Infinity;
  let answered: AnsweredSlot[] = [];
  let isPumping = false;
  let isWoken = false;
  let sleeping = new AbortController();

  const change: AppLimitStore['changeBucket'] = async (key, by) => {
    if (!store || getAlone() > 0) return own_bucket.changeBucket(key, by);
    try {
      return await store.changeBucket(key, by);
    } catch (error) {
      goOnAlone(error);
      return own_bucket.changeBucket(key, by);
    }
  };

  function goOnAlone(error: unknown): void {
    log.debug("could not share the marketplace's limits", { error });
    getAlone = startCountdown(clock, ALONE_MS);
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (findQueue()) {
        isWoken = false;
        const wait_ms = getHeld() || (await release());
        // No call stays waiting for a hold that is too long to wait out.
        if (wait_ms === 0 || isWoken || !findQueue()) continue;
        sleeping = new AbortController();
        await clock.sleep(wait_ms, sleeping.signal).catch(() => undefined);
      }
    } finally {
      isPumping = false;
    }
  }

  function wake(): void {
    isWoken = true;
    sleeping.abort();
  }

  function findQueue(): Waiter[] | undefined {
    return LANES.map((lane) => queues[lane]).find((queue) => queue.length > 0);
  }

  /** Sends the next call if there is a slot for it. Returns how long until there is one, 0 if it was sent. */
  async function release(): Promise<number> {
    const corrections = answered;
    answered = [];
    const taken = await change(app, (bucket, now_ms) => takeSlot(bucket, now_ms, corrections));
    adopt(taken.bucket, taken.now_ms);
    // A hold may have begun while the slot was being taken.
    const wait_ms = Math.max(taken.wait_ms, getHeld());
    if (wait_ms > 0) return wait_ms;
    findQueue()?.shift()?.resolve(followCall(taken.free_at_ms));
    return 0;
  }

  /**
   * A call may arrive later than it took its slot: by the time it waited before it was sent, plus the time
   * its answer took longer than the fastest one.
   */
  function followCall(free_at_ms: number): Answered {
    const taken_ms = clock.monotonic();
    return (round_trip_ms) => {
      quickest_ms = Math.max(0, Math.min(round_trip_ms, quickest_ms));
      const waited_ms = Math.max(0, clock.monotonic() - taken_ms - round_trip_ms);
      const late_ms = Math.round(waited_ms + Math.min(MAX_WAY_MS, round_trip_ms - quickest_ms));
      quickest_ms += FORGOTTEN_MS;
      answered.push({ free_at_ms, late_ms });
      wake();
    };
  }

  /** Adopts the limits that another process received, as if the marketplace had reported them to this one. */
  function adopt(bucket: AppBucket, now_ms: number): void {
    const { per_second, per_day, remaining_today, read_at_ms, slots } = bucket;
    busy = { slots: slots.length, getLeft: startCountdown(clock, 1_000) };
    const fresh_ms = read_at_ms + DAY_READING_MS - now_ms;
    if (read_at_ms <= now_ms && fresh_ms > getFresh()) {
      limits = { per_second, per_day, remaining_today };
      getFresh = startCountdown(clock, fresh_ms);
    }
    holdFor(getHold(bucket, now_ms));
  }

  function holdFor(wait_ms: number): void {
    if (wait_ms > getHeld()) getHeld = startCountdown(clock, wait_ms);
    for (const lane of LANES) {
      const refusal = findRefusal(lane);
      if (refusal) for (const waiter of queues[lane].splice(0)) waiter.reject(refusal);
    }
  }

  function findRefusal(lane: Lane): TooLongError | undefined {
    if (getHeld() > MAX_HOLD_MS) return new TooLongError(getHeld());
    const { remaining_today, per_day } = limits;
    const reserve = Math.floor((per_day ?? 0) * DAY_RESERVE_SHARE[lane]);
    const fresh_ms = getFresh();
    return fresh_ms > 0 && (remaining_today ?? Infinity) < reserve ? new TooLongError(fresh_ms) : undefined;
  }

  return {
    async enter(lane, signal) {
      signal?.throwIfAborted();
      if (closed) throw closed;
      const refusal = findRefusal(lane);
      if (refusal) throw refusal;
      const queue = queues[lane];
      let waiter: Waiter | undefined;
      const onAbort = (): void => {
        const index = waiter ? queue.indexOf(waiter) : -1;
        if (index !== -1) queue.splice(index, 1)[0]?.reject(signal?.reason);
      };
      const turn = new Promise<Answered>((resolve, reject) => {
        waiter = { resolve, reject };
        queue.push(waiter);
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      void pump();
      try {
        return await turn;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    learn({ per_second = limits.per_second, per_day = limits.per_day, remaining_today }) {
      const isNew = per_second !== limits.per_second || per_day !== limits.per_day;
      const hasDay = remaining_today !== undefined;
      limits = { per_second, per_day, remaining_today: hasDay ? remaining_today : limits.remaining_today };
      if (hasDay) getFresh = startCountdown(clock, DAY_READING_MS);
      if (!isNew && (!hasDay || getShared() > 0)) return;
      getShared = startCountdown(clock, SHARING_MS);
      const learnt = limits;
      void change(app, (bucket, now_ms) => ({
        bucket: { ...bucket, ...learnt, read_at_ms: hasDay ? now_ms : bucket.read_at_ms },
      }));
    },
    getLimits: () => limits,
    getLeft() {
      const slots = busy.getLeft() > 0 ? busy.slots : 0;
      const per_second = getHeld() > 0 ? 0 : Math.max(0, getRoom(limits) - slots);
      return { per_second, today: limits.remaining_today ?? undefined };
    },
    hold(wait_ms) {
      holdFor(wait_ms);
      store
        ?.changeBucket(app, (bucket, now_ms) => ({ bucket: holdBucket(bucket, now_ms, wait_ms) }))
        .catch(goOnAlone);
    },
    close(reason) {
      closed = reason;
      wake();
      for (const waiter of LANES.flatMap((lane) => queues[lane].splice(0))) waiter.reject(reason);
    },
  };
}

/**
 * Counts milliseconds down to 0 by two clocks, whichever gets there first: a wall clock that is set back
 * lengthens no wait, and neither does monotonic time, which may stand still while the computer sleeps.
 */
function startCountdown(clock: Pick<Clock, 'now' | 'monotonic'>, duration_ms: number): () => number {
  const until_ms = clock.now().getTime() + duration_ms;
  const until_monotonic_ms = clock.monotonic() + duration_ms;
  return () =>
    Math.max(0, Math.min(until_ms - clock.now().getTime(), until_monotonic_ms - clock.monotonic()));
}
