import type { Timeline } from '../time/timeline.js';

/** A personal application has so much; the first answer tells better. */
const FIRST_LIMIT = 5;
/** After a refusal, one more call a second is tried for each of these without another. */
const RECOVERY_MS = 1_000;
/** So long after a call that someone waited for, a part of the limit is kept for the next one. */
const KEEP_MS = 10_000;
/** A limit below this is too small to keep a part of it for anyone. */
const LEAST_LIMIT_TO_DIVIDE = 4;

/** How many calls a second this client takes of the limit; other processes may be using the same key. */
export type Share = {
  setLimit(per_second: number): void;
  /** So many calls of this second were made by others with the same key; they are left their part for a second. */
  leave(calls: number): void;
  /** After a 429: somebody else takes a part of the limit, so ours is halved, and grows back. */
  shrink(): void;
  /** Someone is there who waits for answers. */
  keep(): void;
  /** Calls allowed in any second, at least 1. Work leaves a part of them alone while someone is there. */
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
    keep() {
      kept_at = time.now();
    },
    getRoom(is_work) {
      const whole = getWhole();
      const is_kept = is_work && whole >= LEAST_LIMIT_TO_DIVIDE && time.now() - kept_at < KEEP_MS;
      return is_kept ? whole - Math.max(1, Math.floor(whole / 10)) : whole;
    },
  };
}
