/**
 * Deletes old rows, of all accounts. Each call deletes up to `limit` rows, in one transaction or one per
 * account, so that none locks the database for long. It returns the number of deleted rows: fewer than
 * `limit` means that none are left. Ages are in milliseconds by the database's clock, so that a process with
 * a wrong clock deletes nothing too early.
 */
export type RetentionStore = {
  /**
   * The oldest deliveries of each account, up to the first that is younger, or whose event still has a
   * delivery to send.
   */
  sweepDeliveries(age_ms: number, limit: number): Promise<number>;
  /** Events without payload and without deliveries. */
  sweepEvents(age_ms: number, limit: number): Promise<number>;
  /** Recorded changes of orders, by the age of the orders themselves. */
  sweepRecordedOrders(age_ms: number, limit: number): Promise<number>;
  /**
   * Plans of jobs that ended that long ago: of earlier jobs of a listing, and of the last one if nothing is
   * left to do.
   */
  sweepPlans(age_ms: number, limit: number): Promise<number>;
  /** Progress of the parts of jobs that ended that long ago: those jobs can no longer be undone. */
  sweepJobParts(age_ms: number, limit: number): Promise<number>;
  /** Batches that were created that long ago and have ended, with their items. */
  sweepBatches(age_ms: number, limit: number): Promise<number>;
  /** Expired exports of listings. */
  sweepSheets(limit: number): Promise<number>;
  /** Files that were kept for changes that can no longer be undone. */
  sweepKeptFiles(limit: number): Promise<number>;
  /** Expired licenses to overwrite manual edits. */
  sweepEditLicenses(limit: number): Promise<number>;
  sweepKeyBindings(age_ms: number, limit: number): Promise<number>;
  /** Digests of bodies whose job ended, or whose draft was saved, that long ago. */
  sweepDigestBindings(age_ms: number, limit: number): Promise<number>;
  /** Sessions that have expired or were not used for `unused_ms`, and expired sign-in links. */
  sweepSessions(unused_ms: number, limit: number): Promise<number>;
};
