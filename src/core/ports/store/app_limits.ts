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

/** `wait_ms`: how long until there is one; 0 where it was taken, which `remaining_today` counts. */
export type AppPlace = { wait_ms: number } & Pick<AppLimits, 'remaining_today' | 'read_at_ms'>;

export type AppLimitStore = {
  /** @param app the application's keystring */
  findAppLimits(app: string): Promise<AppLimits | undefined>;
  /**
   * Of two readings the newer stays, and of two holds the longer one. A kept time after `now_ms` was written by a clock that was
   * ahead, and is replaced.
   */
  saveAppLimits(app: string, limits: AppLimits, now_ms: number): Promise<void>;
  /**
   * Reserves a place for one call, in one step, so that no instance takes it too: taken when fewer than `room` are counted. It counts
   * for `counted_ms`, unless it is freed earlier, and as one of today's calls.
   */
  takeAppPlace(
    app: string,
    place_id: string,
    limits: { room: number; counted_ms: number },
  ): Promise<AppPlace>;
  /** From now on it counts for `in_ms` more, or for as long as it would have if that is shorter. */
  freeAppPlace(app: string, place_id: string, in_ms: number): Promise<void>;
  /** Places that count now, or did within the last `ago_ms`. */
  countAppPlaces(app: string, ago_ms: number): Promise<number>;
};
