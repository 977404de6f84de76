/** An AbortController whose signal is made when somebody looks at it: most calls end before anybody does. */
export type Cancelling = {
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  cancel(reason?: unknown): void;
};

export function createCancelling(): Cancelling {
  let controller: AbortController | undefined;
  let cancelled: { reason: unknown } | undefined;
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (cancelled) controller.abort(cancelled.reason);
      }
      return controller.signal;
    },
    get isCancelled() {
      return cancelled !== undefined;
    },
    cancel(reason) {
      cancelled ??= { reason };
      controller?.abort(reason);
    },
  };
}
