/** The marketplace's limits of one application's key, as its answers reported them; null if they did not. */
export type AppLimits = {
  per_second: number | null;
  per_day: number | null;
  remaining_today: number | null;
};

/** The state that all instances with one application's key share. Times are by the store's clock. */
export type AppBucket = AppLimits & {
  /** When the limits were read. */
  read_at_ms: number;
  /** The marketplace asked (Retry-After) for no call before this time. */
  held_until_ms: number;
  /** When the marketplace asked for that; 0 if it never did. */
  held_at_ms: number;
  /** When each slot that a call took is free again. */
  slots: readonly number[];
};

export type AppLimitStore = {
  /**
   * Changes an application's bucket in one step, so that no other instance changes it in between, and returns
   * the result of `change`.
   *
   * @param app the application's keystring
   * @param change may run more than once
   */
  changeBucket<Changed extends { bucket: AppBucket }>(
    app: string,
    change: (bucket: AppBucket, now_ms: number) => Changed,
  ): Promise<Changed>;
};
