/**
 * What goes after its time, of all accounts. Each call removes up to `limit` rows, in a transaction or one for each
 * account, so that none holds the database for long, and answers how many went: fewer than `limit` are all there were.
 */
export type RetentionStore = {
  /** The oldest deliveries of each account, up to the first that is younger, or whose event still has one to be sent. */
  sweepDeliveries(created_before: string, limit: number): Promise<number>;
  /** Events without payload and without deliveries. */
  sweepEvents(created_before: string, limit: number): Promise<number>;
  /** What was heard of orders, by the orders' own age in epoch seconds. */
  sweepHeardOrders(created_before_s: number, limit: number): Promise<number>;
  /** Plans of jobs that ended before: of earlier jobs of a listing, and of the last one where it left nothing to do. */
  sweepPlans(completed_before: string, limit: number): Promise<number>;
  sweepKeyBindings(bound_before: string, limit: number): Promise<number>;
  /** Digests of bodies whose job ended, or whose draft was saved, before that time. */
  sweepDigestBindings(ended_before: string, limit: number): Promise<number>;
  /** Sessions that have expired or were not used since a time, and sign-in links that have expired. */
  sweepSessions(now: string, unused_since: string, limit: number): Promise<number>;
};
