/**
 * What goes after its time, of all accounts. Each call removes up to `limit` rows, in a transaction or one for each
 * account, so that none holds the database for long, and answers how many went: fewer than `limit` are all there were.
 * Ages are in milliseconds by the database's clock: a computer whose own clock is wrong removes nothing too early.
 */
export type RetentionStore = {
  /** The oldest deliveries of each account, up to the first that is younger, or whose event still has one to be sent. */
  sweepDeliveries(age_ms: number, limit: number): Promise<number>;
  /** Events without payload and without deliveries. */
  sweepEvents(age_ms: number, limit: number): Promise<number>;
  /** What was heard of orders, by the age of the orders themselves. */
  sweepHeardOrders(age_ms: number, limit: number): Promise<number>;
  /** Plans of jobs that ended so long ago: of earlier jobs of a listing, and of the last one where it left nothing to do. */
  sweepPlans(age_ms: number, limit: number): Promise<number>;
  /** What jobs have done, part by part, that ended so long ago: they cannot be taken back any more. */
  sweepJobParts(age_ms: number, limit: number): Promise<number>;
  /** Bytes that were kept for changes that cannot be taken back any more. */
  sweepKeptFiles(limit: number): Promise<number>;
  sweepKeyBindings(age_ms: number, limit: number): Promise<number>;
  /** Digests of bodies whose job ended, or whose draft was saved, so long ago. */
  sweepDigestBindings(age_ms: number, limit: number): Promise<number>;
  /** Sessions that have expired or were not used for so long, and sign-in links that have expired. */
  sweepSessions(unused_ms: number, limit: number): Promise<number>;
};
