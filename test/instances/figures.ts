/** The results of a rolling restart. */
export type Figures = {
  callers: number;
  accounts: number;
  restarts: number;
  /** Calls of operations. */
  requests: number;
  /** Calls that were answered, including refusals. */
  answered: number;
  /** Calls refused by the account's limit. */
  limited: number;
  /** Calls repeated because the instance was stopping: no connection, a reset or a 503. */
  retried: number;
  /** Calls that failed a second time. */
  failed: number;
  /** Answered writes that do not exist once, or differ from their answer. */
  lost: number;
  /** Calls beyond the limit that passed, and calls within it that were refused. */
  limits_broken: number;
  /** Questions answered through another instance than the one that asked, which was stopping. */
  questions: number;
  fees: number;
  activations: number;
};
