import type { Config } from '../config.js';
import type { Settings } from '../core/settings.js';

/** Limits that no operator needs to change. */
export const LIMITS = {
  /** Saved drafts per account. */
  drafts: 20_000,
  /** Drafts of the largest size would fill the disk long before an account has that many. */
  draft_bytes: 200_000_000,
  /** Uploads per account. */
  upload_bytes: 10_000_000_000,
  /** Plans of batches per account that can still be started. */
  open_plans: 100,
  /** Exports per account that can still be uploaded. */
  sheets: 100,
  /** Saved filters per account. */
  saved_filters: 20,
  /** How long events and webhook deliveries are kept. */
  deliveries_days: 90,
  /** How long recorded changes of an order are kept, counted from its creation. */
  orders_days: 400,
  /** How long the plan of a job is kept after its end, if nothing is left to do. */
  plans_days: 90,
};

/** The settings that the core reads, in its units. */
export function toCoreSettings(config: Config, limits?: Partial<typeof LIMITS>): Settings {
  const { drafts, draft_bytes, upload_bytes, open_plans, sheets, saved_filters, ...retention } = {
    ...LIMITS,
    ...limits,
  };
  return {
    base_url: config.base_url,
    upload_roots: config.upload_roots,
    confirm_spending: config.confirm_spending,
    role: config.role,
    max_activations_per_day: config.max_activations_per_day,
    reconcile_settle_ms: config.reconcile_settle_ms,
    order_poll_seconds: config.order_poll_seconds ?? 60,
    quotas: { drafts, draft_bytes, upload_bytes, open_plans, sheets, saved_filters },
    retention,
  };
}
