import type { AccountQuotas } from './ports/index.js';

/** How long data that would otherwise grow without end is kept. */
type Retention = {
  /** Events and their deliveries. */
  deliveries_days: number;
  /** Recorded changes of orders, from the order's creation; changes of older orders make no events. */
  orders_days: number;
  /** Plans of jobs, from the job's end. */
  plans_days: number;
};

/** The work of an instance: serves callers (web), does the background work (worker), or both. */
type Role = 'both' | 'web' | 'worker';

/** Settings of the core; config.ts reads them from the environment. */
export type Settings = {
  role: Role;
  /** The address at which a person's browser reaches this service, without a trailing slash. */
  base_url: string;
  /** Folders that a local caller may upload files from. */
  upload_roots: readonly string[];
  /** Whether an assistant that cannot show a question to its person gets a token for confirming fees. */
  confirm_spending: boolean;
  /** The most activations with a fee per account in 24 hours; undefined: no limit. */
  max_activations_per_day: number | undefined;
  /** How long after a call's deadline its effect may still appear on the marketplace. */
  reconcile_settle_ms: number;
  /** The shortest pause between two polls of the orders of one shop. */
  order_poll_seconds: number;
  /** The most that an account may have. */
  quotas: AccountQuotas;
  retention: Retention;
};
