/** Counts of actions that may be repeated too often, by who does them or from where, over all instances. */
export type WindowCountStore = {
  /**
   * Counts one more for the subject, unless it has reached its limit in the window, which begins with the
   * first. In one step, so that two instances never count one slot twice. `retry_after_ms`: until the window
   * is over; 0 if it was counted.
   */
  countInWindow(
    subject: string,
    window: { max: number; window_ms: number },
  ): Promise<{ retry_after_ms: number }>;
};
