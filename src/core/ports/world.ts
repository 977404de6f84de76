/** Time, so that tests can own it. */
export type Clock = {
  now(): Date;
  /** Resolves after the time, rejects with the signal's reason when aborted first. */
  sleep(duration_ms: number, signal?: AbortSignal): Promise<void>;
};

/** Randomness. */
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
