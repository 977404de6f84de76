/** What is known of the limits of one application's key. Times are epoch milliseconds; null where nothing was said. */
export type AppLimits = {
  per_second: number | null;
  per_day: number | null;
  remaining_today: number | null;
  /** When the above was said. */
  read_at_ms: number;
  /** The marketplace wants no call before this. */
  held_until_ms: number;
  /** When it said so; 0 where it never did. */
  held_at_ms: number;
};

export type AppLimitStore = {
  /** @param app the application's keystring */
  findAppLimits(app: string): Promise<AppLimits | undefined>;
  /**
   * Of two readings the newer stays, and of two holds the longer. What was kept with a time after `now_ms`, by a clock that was
   * ahead, does not.
   */
  saveAppLimits(app: string, limits: AppLimits, now_ms: number): Promise<void>;
};
