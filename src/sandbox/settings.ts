import type { Database } from './store/database.js';
import { readJson } from './store/json.js';

/** A field that the marketplace refuses if it is present, to test recovery. */
type RefusedField = {
  operation: 'createDraftListing' | 'updateListing';
  field: string;
  message: string;
};

/** Settings that the control route can change while the sandbox runs; shared by all processes on the file. */
export type Settings = {
  latency_ms: number;
  rate_per_second: number;
  rate_per_day: number;
  /** How long a shop's list of drafts omits new ones. */
  draft_list_lag_ms: number;
  /** How long every list of images, videos and files omits new ones. */
  media_list_lag_ms: number;
  /** How far the Date header is ahead of the times of listings, as if a proxy on the way writes it. */
  date_ahead_ms: number;
  /**
   * The year of the names of when_made, as if the marketplace has not renamed its periods yet; 0: the clock's
   * year.
   */
  calendar_year: number;
  /** Shops on vacation, in which nothing can be activated. */
  vacation_shop_ids: number[];
  access_token_ttl_s: number;
  /** How long size and colors of an uploaded image are null. */
  image_processing_ms: number;
  /**
   * How often each webhook message is sent even if the first was accepted; real webhooks arrive more than
   * once.
   */
  webhook_copies: number;
  /**
   * Whether reading listings by their ids shows inactive ones to their owner; the marketplace does not
   * document it.
   */
  batch_shows_inactive: boolean;
  /**
   * Whether an inventory write removes all photos of variations, as seen on the marketplace; otherwise only
   * those of values that are gone.
   */
  inventory_drops_variation_images: boolean;
  /** Whether answers have the fields for product safety; the document of 2026-09-26 has none of them. */
  shows_gpsr: boolean;
  refuse: RefusedField[];
  /** Silently dropped when a listing is created. */
  ignore_fields: string[];
};

export const DEFAULT_SETTINGS: Settings = {
  latency_ms: 0,
  rate_per_second: 10,
  rate_per_day: 10_000,
  draft_list_lag_ms: 0,
  media_list_lag_ms: 0,
  date_ahead_ms: 0,
  calendar_year: 0,
  vacation_shop_ids: [],
  access_token_ttl_s: 3600,
  image_processing_ms: 250,
  webhook_copies: 1,
  batch_shows_inactive: false,
  inventory_drops_variation_images: true,
  shows_gpsr: true,
  refuse: [],
  ignore_fields: [],
};

/** Settings posted to the control route take precedence over the options of the process. */
export function readSettings(db: Database, options: Partial<Settings>): Settings {
  const rows = db.list<{ name: string; value: string }>('SELECT name, value FROM settings');
  const posted = Object.fromEntries(rows.map((row) => [row.name, readJson<unknown>(row.value)]));
  return { ...DEFAULT_SETTINGS, ...options, ...posted };
}

export function saveSettings(db: Database, changes: Partial<Settings>): void {
  for (const [name, value] of Object.entries(changes)) {
    db.run(
      'INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      JSON.stringify(value),
    );
  }
}
