/** Counts of what is done too often, by whom or from where, over all instances. */
export type WindowCountStore = {
  /**
   * One more of the subject, unless it has used its number up: so many in a window that begins with the first. In one step, so that
   * two instances never count one place twice. `retry_after_ms`: until the window is over; 0 where it was counted.
   */
  countInWindow(
    subject: string,
    window: { max: number; window_ms: number },
  ): Promise<{ retry_after_ms: number }>;
};
