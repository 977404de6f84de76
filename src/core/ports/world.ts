/** Time, so that tests can own it. */
export type Clock = {
  now(): Date;
  /** Milliseconds since some moment of the past. Never set, as `now` may be, back or ahead; it may stand still while the computer sleeps. */
  monotonic(): number;
  /**
   * Resolves after the time, rejects with the signal's reason when aborted first.
   * @param options `is_idle`: a process that has nothing else to do ends meanwhile
   */
  sleep(duration_ms: number, signal?: AbortSignal, options?: { is_idle?: boolean }): Promise<void>;
};

/** Chance, so that tests can own it: ids, secrets and pauses are drawn from it. */
export type Randomness = {
  /** Bytes of a cryptographic generator, in a buffer of their own. */
  bytes(count: number): Buffer;
};

/** Random ids. */
export type Ids = {
  /** `job_...`: 22 base62 characters of randomness after the prefix. */
  build(prefix: string): string;
};

export type LogFields = Record<string, unknown>;

/** The log goes to stderr, redacted. `message` is a fixed sentence; what varies goes into the fields. */
export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};
