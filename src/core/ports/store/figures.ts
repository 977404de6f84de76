import type { DeliveryStatus } from '../../../../schemas/delivery.js';
import type { JobStatus } from '../../../../schemas/job.js';

/** Amounts of stored data over all accounts: for the operator of the service, never for a caller. */
export type StoreFigures = {
  jobs: Record<JobStatus, number>;
  deliveries: Record<DeliveryStatus, number>;
  drafts: { count: number; bytes: number };
  /** Counts each file once, however often it was uploaded. */
  upload_bytes: number;
};

/**
 * This process's calls to the marketplace with one application's key since it started, and the rest of the
 * key's limits.
 */
export type MarketplaceFigures = {
  /** `installation`, or the first characters of a keystring that an account brought. */
  application: string;
  calls: { operation: string; outcome: string; count: number }[];
  /** Undefined until an answer of the marketplace reports it. */
  left: { per_second: number; today: number | undefined };
};

export type Figures = StoreFigures & {
  marketplace: MarketplaceFigures[];
  /** Files that this process is fetching. */
  fetches: number;
  /** Undefined if the operating system does not report it. */
  free_disk_bytes: number | undefined;
};
