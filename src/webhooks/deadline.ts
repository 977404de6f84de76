/** How often is looked whose time is over: two timers for each delivery would cost as much as its signature. */
const LOOK_MS = 50;

/** Attempts that have an end, which comes up to LOOK_MS late. */
export type Deadlines = {
  /** Whoever asks has to clear it. */
  start(duration_ms: number): Deadline;
};

export function createDeadlines(): Deadlines {
  const running: Deadline[] = [];
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    const now_ms = performance.now();
    for (const deadline of running) deadline.look(now_ms);
    looking = running.length > 0 ? setTimeout(look, LOOK_MS) : undefined;
  }

  return {
    start(duration_ms) {
      looking ??= setTimeout(look, LOOK_MS);
      return new Deadline(running, performance.now() + duration_ms);
    },
  };
}

/**
 * The end of an attempt's time. An attempt that finds a kept connection needs no AbortSignal, so that is made when it is asked for.
 * A class, since one is made for each delivery.
 */
export class Deadline {
  is_over = false;
  /** Told when the time is over. */
  listener: { stopLate(): void } | undefined;
  private controller: AbortController | undefined;
  private place: number;

  constructor(
    private readonly running: Deadline[],
    private ends_at_ms: number,
  ) {
    this.place = running.length;
    running.push(this);
  }

  getSignal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.is_over) this.controller.abort();
    return this.controller.signal;
  }

  /** Leaves so much from now at most. */
  shorten(duration_ms: number): void {
    this.ends_at_ms = Math.min(this.ends_at_ms, performance.now() + duration_ms);
  }

  look(now_ms: number): void {
    if (this.is_over || now_ms < this.ends_at_ms) return;
    this.is_over = true;
    this.controller?.abort();
    this.listener?.stopLate();
  }

  /** Once. */
  clear(): void {
    const last = this.running.pop();
    if (!last || last === this) return;
    last.place = this.place;
    this.running[this.place] = last;
  }
}
