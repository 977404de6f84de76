/** What came of a rolling restart. */
export type Figures = {
  callers: number;
  accounts: number;
  restarts: number;
  /** Calls of operations. */
  requests: number;
  /** Calls that were answered, also with a refusal. */
  answered: number;
  /** Refused for the account's limit. */
  limited: number;
  /** Sent a second time, since the instance was going: no connection, a reset or a 503. */
  retried: number;
  /** Calls that failed a second time. */
  failed: number;
  /** Answered writes that are not there once, or are not as they were answered. */
  lost: number;
  /** Calls beyond the limit that passed, and calls within it that were refused. */
  limits_broken: number;
  /** Answered through another instance than the one that asked, which was stopping. */
  questions: number;
  fees: number;
  activations: number;
};
