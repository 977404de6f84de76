import type { Timeline } from '../time/timeline.js';

/** Calls a second of a personal application: assumed until the first answer tells the limit. */
const FIRST_LIMIT = 5;
/** After a 429, the share grows by one call a second each time this has passed without another 429. */
const RECOVERY_MS = 1_000;
/** How long after an interactive call a part of the limit is kept for the next one. */
const KEEP_MS = 10_000;
/** A limit below this is too small to keep a part of it for anyone. */
const LEAST_LIMIT_TO_DIVIDE = 4;

/** How many calls a second this client takes of the limit; other processes may be using the same key. */
type Share = {
  setLimit(per_second: number): void;
  /** Leaves room, for a second, for as many calls as others with the same key made in this one. */
  leave(calls: number): void;
  /** After a 429: other users of the key take a part of the limit, so this share is halved, and grows back. */
  shrink(): void;
  /** Notes that an interactive call was made. */
  noteInteractive(): void;
  /** Calls allowed in any second, at least 1. Work is allowed fewer for a while after an interactive call. */
  getRoom(is_work: boolean): number;
};

export function createShare(time: Pick<Timeline, 'now'>): Share {
  let limit = FIRST_LIMIT;
  let kept_at = Number.NEGATIVE_INFINITY;
  let left: { calls: number; at: number } | undefined;
  let shrunk: { room: number; at: number } | undefined;

  function getWhole(): number {
    const now = time.now();
    const others = left && now - left.at < RECOVERY_MS ? left.calls : 0;
    const regained = shrunk ? shrunk.room + Math.floor((now - shrunk.at) / RECOVERY_MS) : limit;
    return Math.max(1, Math.min(limit - others, regained));
  }

  return {
    setLimit(per_second) {
      limit = Math.max(1, per_second);
    },
    leave(calls) {
      left = { calls, at: time.now() };
    },
    shrink() {
      const now = time.now();
      // Calls that were under way together are refused together; that is one refusal.
      if (shrunk && now - shrunk.at < RECOVERY_MS) return;
      shrunk = { room: Math.max(1, Math.floor(getWhole() / 2)), at: now };
    },
    noteInteractive() {
      kept_at = time.now();
    },
    getRoom(is_work) {
      const whole = getWhole();
      const is_kept = is_work && whole >= LEAST_LIMIT_TO_DIVIDE && time.now() - kept_at < KEEP_MS;
      return is_kept ? whole - Math.max(1, Math.floor(whole / 10)) : whole;
    },
  };
}
