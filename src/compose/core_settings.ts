import type { Config } from '../config.js';
import type { Settings } from '../core/settings.js';

/** The settings that the core reads, in its units. */
export function toCoreSettings(config: Config): Settings {
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
      draft_bytes: config.max_drafts_mb * 1_000_000,
      upload_bytes: config.max_uploads_mb * 1_000_000,
    },
    retention: {
      deliveries_days: config.keep_deliveries_days,
      orders_days: config.keep_orders_days,
      plans_days: config.keep_plans_days,
    },
  };
}
