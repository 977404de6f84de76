import type { Config } from '../config.js';
import type { Settings } from '../core/settings.js';

/** Drafts of the largest size would fill the disk long before an account has as many as it may. */
const MAX_DRAFT_BYTES = 200_000_000;

/** The settings that the core reads, in its units. */
export function toCoreSettings(config: Config, max_draft_bytes = MAX_DRAFT_BYTES): Settings {
  return {
    base_url: config.base_url,
    upload_roots: config.upload_roots,
    confirm_spending: config.confirm_spending,
    role: config.role,
    max_activations_per_day: config.max_activations_per_day,
    reconcile_settle_ms: config.reconcile_settle_ms,
    order_poll_seconds: config.order_poll_seconds,
    quotas: {
      drafts: config.max_drafts,
      draft_bytes: max_draft_bytes,
      upload_bytes: config.max_uploads_mb * 1_000_000,
    },
    retention: {
      deliveries_days: config.keep_deliveries_days,
      orders_days: config.keep_orders_days,
      plans_days: config.keep_plans_days,
    },
  };
}
