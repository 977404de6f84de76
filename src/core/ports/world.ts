/** Time, as a port, so that tests and the simulator control it. */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds since an arbitrary moment. Unlike `now` it is never set back or ahead; it may stand still
   * while the computer sleeps.
   */
  monotonic(): number;
  /**
   * Resolves after the time; rejects with the signal's reason if aborted before that.
   * @param options `is_idle`: a process that has nothing else to do may exit during the sleep
   */
  sleep(duration_ms: number, signal?: AbortSignal, options?: { is_idle?: boolean }): Promise<void>;
};

/** Randomness, as a port, so that tests and the simulator control it: ids, secrets and pauses use it. */
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

/**
 * The log goes to stderr, redacted. `message` is a fixed sentence; anything that varies goes into the fields.
 */
export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
};
