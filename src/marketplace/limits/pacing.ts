import type { AppLimits } from '../../core/ports/store/app_limits.js';
import type { Clock } from '../../core/ports/world.js';
import type { LimitMemory, Place } from './limit_memory.js';
import type { RateReading } from './rate_headers.js';
import { createShare } from './rate_share.js';
import { COUNTED_MS, createRateWindow, MAX_WAY_MS } from './rate_window.js';
import { createTimeline, type Timeline } from '../time/timeline.js';

/**
 * The priority of a call. Interactive calls go first, and a part of the limits of a second and of a day is kept for them. Of a day's
 * calls, background leaves a further part for work.
 */
export type Lane = 'interactive' | 'work' | 'background';

/** Thrown for a call that would have to wait longer than a caller waits inside one call. It has not been sent. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
  readonly wait_ms: number;
  constructor(wait_ms: number) {
    super(`The marketplace's limits leave no room for ${Math.ceil(wait_ms / 1000)} seconds.`);
    this.wait_ms = wait_ms;
  }
}

/** The limits of one application's key, shared by all calls of a client. */
export type Pacing = {
  /**
   * Resolves when the call may be sent; within a lane, calls are sent in the order in which they asked. Call the function that it
   * resolves to once the answer is here, or none can come. Throws TooLongError, or the signal's reason.
   */
  enter(lane: Lane, signal?: AbortSignal): Promise<() => void>;
  learn(reading: RateReading): void;
  /** Calls that may be sent now: within a second, and today as last told, less those sent since. */
  getLeft(): { per_second: number; today: number | undefined };
  /** Calls that the key has for a day, as last told; undefined before that. */
  getDayLimit(): number | undefined;
  /** All that was last told. */
  getLimits(): AppLimits;
  /** Sends nothing for this long, after a 429, and for a random time more, so that processes do not all start again at once. */
  hold(wait_ms: number): void;
  /** Rejects the calls that wait, and all later ones, with this reason. */
  close(reason: Error): void;
};

type PacingOptions = {
  clock: Clock;
  random: () => number;
  /** Left out where no other process uses the key. */
  createMemory?: (time: Timeline) => LimitMemory;
};

/** Beyond this a hold is told to the caller instead of being waited out. */
export const MAX_HOLD_MS = 60_000;
const MAX_JITTER_MS = 250;
/**
 * While another process has the last place, the store is asked again this often: that call may be answered, and free its place,
 * earlier than expected.
 */
const RECHECK_MS = 250;
const LANES = ['interactive', 'work', 'background'] as const;
/**
 * The share of a day's calls that a lane has to leave: a hundredth is kept for people, a tenth for everything but background. A
 * reading of the day older than DAY_READING_MS does not hold a call back, so that its answer brings a new one.
 */
const DAY_RESERVE_SHARE: Record<Lane, number> = { interactive: 0, work: 0.01, background: 0.1 };
const DAY_READING_MS = 60_000;

type Waiter = { resolve(leave: () => void): void; reject(reason: unknown): void };

export function createPacing({ clock, random, createMemory }: PacingOptions): Pacing {
  const time = createTimeline(clock);
  const memory = createMemory?.(time);
  const share = createShare(time);
  const queues: Record<Lane, Waiter[]> = { interactive: [], work: [], background: [] };
  const window = createRateWindow();
  let hold = { until: 0, at: 0 };
  let per_second: number | undefined;
  let day: { remaining: number; limit: number; read_at: number } | undefined;
  let closed: Error | undefined;
  let isPumping = false;
  let isWoken = false;

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (findLane() !== undefined) {
        isWoken = false;
        const wait_ms = await release();
        if (wait_ms === 0 || isWoken) continue;
        await time.sleep(wait_ms);
        adopt(await memory?.recall());
      }
    } finally {
      isPumping = false;
    }
  }

  function wake(): void {
    isWoken = true;
    time.wake();
  }

  function findLane(): Lane | undefined {
    return LANES.find((candidate) => queues[candidate].length > 0);
  }

  /** How long until a call of the lane may be sent, by what this process knows. */
  function getWait(lane: Lane): number {
    const now = time.now();
    // Looking at the first lane is enough: when interactive calls have to wait, the others have too, since their limit is lower.
    return Math.max(0, hold.until - now, window.getWait(share.getRoom(lane !== 'interactive'), now));
  }

  /** Sends the call that is next, if it may be sent. Answers how long until it may, 0 when it was sent. */
  async function release(): Promise<number> {
    const lane = findLane();
    if (lane === undefined) return 0;
    const wait_ms = getWait(lane);
    if (wait_ms > 0) return wait_ms;
    const room = share.getRoom(lane !== 'interactive');
    const place = await memory?.take({ room, counted_ms: COUNTED_MS });
    if (place && place.wait_ms > 0) return Math.min(place.wait_ms, RECHECK_MS);
    // While the place was taken, the call may have been aborted, or a hold may have begun.
    const next = findLane();
    if (next === undefined || getWait(next) > 0) {
      void place?.free(0);
      return next === undefined ? 0 : getWait(next);
    }
    admit(next, place);
    return 0;
  }

  function admit(lane: Lane, place: Place | undefined): void {
    const answered = window.add(time.now());
    if (lane === 'interactive') share.noteInteractive();
    if (day) {
      day.remaining -= 1;
      // Other processes' calls count too. The store's count is ignored where it is older than the answer that this process got
      // last.
      const left = place && place.read_at_ms >= Math.floor(day.read_at) ? place.remaining_today : null;
      if (left !== null) day.remaining = Math.min(day.remaining, left);
    }
    queues[lane].shift()?.resolve(() => {
      const in_ms = answered(time.now());
      // The answer may be earlier than expected, which makes room for a waiting call.
      if (place) void place.free(in_ms).then(wake);
      else wake();
    });
  }

  /** Takes over the limits that another process was told, as if the marketplace had told them to this one. */
  function adopt(limits: AppLimits | undefined): void {
    if (!limits) return;
    const now = time.now();
    // A time in the future was written by a process whose clock was ahead: the age of these limits is not known, so they are
    // ignored.
    if (limits.held_at_ms <= now) holdUntil(limits.held_until_ms, limits.held_at_ms);
    const { remaining_today: remaining, read_at_ms: read_at } = limits;
    if (read_at > now || read_at <= (day?.read_at ?? 0)) return;
    if (limits.per_second !== null) {
      per_second = limits.per_second;
      share.setLimit(per_second);
    }
    if (remaining !== null) day = { remaining, limit: limits.per_day ?? 0, read_at };
  }

  /**
   * Leaves room for other programs with the same key: they made the calls of this second that the marketplace counted beyond those
   * of this process and of the ones it shares the memory with.
   */
  async function leaveOthers(used: number, ours: number): Promise<void> {
    if (used <= ours) return;
    const counted = memory && (await memory.count(MAX_WAY_MS));
    const others = used - (counted ?? ours);
    if (others > 0) share.leave(others);
  }

  function holdUntil(until: number, at: number): void {
    if (until > hold.until) hold = { until, at };
    const wait_ms = hold.until - time.now();
    if (wait_ms > MAX_HOLD_MS) turnAway(new TooLongError(wait_ms));
  }

  function getLimits(): AppLimits {
    return {
      per_second: per_second ?? null,
      per_day: day && day.limit > 0 ? day.limit : null,
      remaining_today: day?.remaining ?? null,
      read_at_ms: Math.floor(day?.read_at ?? 0),
      held_until_ms: Math.ceil(hold.until),
      held_at_ms: Math.floor(hold.at),
    };
  }

  function checkLimits(lane: Lane): void {
    const now = time.now();
    if (closed) throw closed;
    if (hold.until - now > MAX_HOLD_MS) throw new TooLongError(hold.until - now);
    const isFresh = day !== undefined && now - day.read_at < DAY_READING_MS;
    if (day && isFresh && day.remaining < Math.floor(day.limit * DAY_RESERVE_SHARE[lane])) {
      throw new TooLongError(day.read_at + DAY_READING_MS - now);
    }
  }

  function turnAway(reason: Error): void {
    const waiting = LANES.flatMap((lane) => queues[lane].splice(0));
    for (const waiter of waiting) waiter.reject(reason);
    wake();
  }

  return {
    async enter(lane, signal) {
      signal?.throwIfAborted();
      const recalling = memory?.recall();
      if (recalling) adopt(await recalling);
      checkLimits(lane);
      const queue = queues[lane];
      let waiter: Waiter | undefined;
      const onAbort = (): void => {
        const at = waiter ? queue.indexOf(waiter) : -1;
        if (at !== -1) queue.splice(at, 1)[0]?.reject(signal?.reason);
      };
      const turn = new Promise<() => void>((resolve, reject) => {
        waiter = { resolve, reject };
        queue.push(waiter);
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      if (lane !== 'background') wake();
      void pump();
      try {
        return await turn;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    learn(reading) {
      const now = time.now();
      if (reading.per_second !== undefined) {
        per_second = reading.per_second;
        share.setLimit(per_second);
        const used = per_second - (reading.remaining_this_second ?? per_second);
        void leaveOthers(used, window.countBefore(now));
      }
      if (reading.remaining_today === undefined) return;
      day = { remaining: reading.remaining_today, limit: reading.per_day ?? 0, read_at: now };
      memory?.keep(getLimits());
    },
    getDayLimit: () => getLimits().per_day ?? undefined,
    getLimits,
    getLeft() {
      const now = time.now();
      const per_second = hold.until > now ? 0 : Math.max(0, share.getRoom(false) - window.count(now));
      return { per_second, today: day && Math.max(0, day.remaining) };
    },
    hold(wait_ms) {
      share.shrink();
      const jitter_ms = random() * Math.min(MAX_JITTER_MS, wait_ms / 4);
      const now = time.now();
      holdUntil(now + wait_ms + jitter_ms, now);
      memory?.keep(getLimits(), true);
    },
    close(reason) {
      closed = reason;
      turnAway(reason);
    },
  };
}
