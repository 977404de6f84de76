/** The marketplace's limits of one application's key, as its answers told them; null where they did not. */
export type AppLimits = {
  per_second: number | null;
  per_day: number | null;
  remaining_today: number | null;
  /** When the limits above were read. */
  read_at_ms: number;
  /** The marketplace asked (Retry-After) for no call before this. */
  held_until_ms: number;
  /** When it asked for that; 0 where it never did. */
  held_at_ms: number;
};

export type AppLimitStore = {
  /** @param app the application's keystring */
  findAppLimits(app: string): Promise<AppLimits | undefined>;
  /**
   * Of two readings the newer stays, and of two holds the longer one. A kept time after `now_ms` was written by a clock that was
   * ahead, and is replaced.
   */
  saveAppLimits(app: string, limits: AppLimits, now_ms: number): Promise<void>;
};
