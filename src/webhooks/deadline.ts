/**
 * The end of an attempt's time. An attempt that finds a kept connection needs no AbortSignal, the making of which costs more than
 * its signature does; so the signal is made when it is asked for.
 */
export type Deadline = {
  isOver(): boolean;
  /** Called once when the time is over; there is one listener at a time, null for none. */
  setListener(listener: (() => void) | null): void;
  getSignal(): AbortSignal;
  clear(): void;
};

export function startDeadline(duration_ms: number): Deadline {
  let is_over = false;
  let listener: (() => void) | null = null;
  let controller: AbortController | undefined;
  const timer = setTimeout(() => {
    is_over = true;
    controller?.abort();
    listener?.();
  }, duration_ms);
  return {
    isOver: () => is_over,
    setListener(next) {
      listener = next;
    },
    getSignal() {
      controller ??= new AbortController();
      if (is_over) controller.abort();
      return controller.signal;
    },
    clear: () => clearTimeout(timer),
  };
}
