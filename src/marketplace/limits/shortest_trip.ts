/** What is known is forgotten after one to two of these. */
const PERIOD_MS = 60_000;
/** So long after an answer its connection still stands. */
const WARM_MS = 3_000;

/** The shortest time from sending a call to its answer, lately. */
type ShortestTrip = {
  /** Milliseconds; 0 while nothing is known. */
  get(now: number): number;
  /** To be called when a call is sent; what it returns, when the answer is here. */
  start(sent_at: number): (answered_at: number) => void;
};

/**
 * Only calls that were sent soon after an answer tell something: one of those sent together then finds an open connection,
 * while the first ones of all have to open theirs, and would make every trip seem long.
 */
export function createShortestTrip(): ShortestTrip {
  let period = { since: Number.NEGATIVE_INFINITY, shortest_ms: Infinity };
  let before_ms = Infinity;
  let last_answer_at = Number.NEGATIVE_INFINITY;

  function turn(now: number): void {
    const age_ms = now - period.since;
    if (age_ms < PERIOD_MS) return;
    before_ms = age_ms < 2 * PERIOD_MS ? period.shortest_ms : Infinity;
    period = { since: now, shortest_ms: Infinity };
  }

  return {
    get(now) {
      turn(now);
      const shortest_ms = Math.min(period.shortest_ms, before_ms);
      return Number.isFinite(shortest_ms) ? shortest_ms : 0;
    },
    start(sent_at) {
      const is_warm = sent_at - last_answer_at < WARM_MS;
      return (answered_at) => {
        last_answer_at = answered_at;
        if (!is_warm) return;
        turn(answered_at);
        period.shortest_ms = Math.min(period.shortest_ms, answered_at - sent_at);
      };
    },
  };
}
