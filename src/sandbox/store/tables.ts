/**
 * All state of the sandbox. Times are epoch milliseconds; `data` columns hold, as JSON, values that no query
 * filters by. Every process that embeds a server on the same file shares these rows.
 */
export const TABLES = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sequences (name TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS shops (
  shop_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL UNIQUE, shop_name TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sections (
  shop_section_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, title TEXT NOT NULL, rank INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS shipping_profiles (
  shipping_profile_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS readiness_states (
  readiness_state_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, readiness_state TEXT NOT NULL,
  min_days INTEGER NOT NULL, max_days INTEGER NOT NULL,
  UNIQUE (shop_id, readiness_state, min_days, max_days)) STRICT;
CREATE TABLE IF NOT EXISTS return_policies (
  return_policy_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, accepts_returns INTEGER NOT NULL,
  accepts_exchanges INTEGER NOT NULL, return_deadline INTEGER) STRICT;
CREATE TABLE IF NOT EXISTS production_partners (
  production_partner_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, partner_name TEXT NOT NULL,
  location TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS listings (
  listing_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, state TEXT NOT NULL,
  is_seeded INTEGER NOT NULL, is_frozen INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, state_at INTEGER NOT NULL, ending_at INTEGER NOT NULL,
  search_text TEXT NOT NULL, price_amount INTEGER NOT NULL, taxonomy_id INTEGER NOT NULL,
  fields TEXT NOT NULL, inventory TEXT NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS listings_of_shop ON listings (shop_id, state, created_at DESC, listing_id DESC);
CREATE INDEX IF NOT EXISTS listings_by_end ON listings (state, ending_at);
CREATE INDEX IF NOT EXISTS listings_by_age ON listings (state, created_at DESC, listing_id DESC);

CREATE TABLE IF NOT EXISTS blobs (
  sha256 TEXT PRIMARY KEY, content_type TEXT NOT NULL, size_bytes INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS images (
  listing_image_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, sha256 TEXT, width INTEGER NOT NULL,
  height INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS listing_images (
  listing_id INTEGER NOT NULL, listing_image_id INTEGER NOT NULL, rank INTEGER NOT NULL, alt_text TEXT NOT NULL,
  PRIMARY KEY (listing_id, listing_image_id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS videos (
  video_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL,
  created_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS listing_videos (
  listing_id INTEGER NOT NULL, video_id INTEGER NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY (listing_id, video_id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
  listing_file_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, name TEXT NOT NULL, content_type TEXT NOT NULL,
  sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS listing_files (
  listing_id INTEGER NOT NULL, listing_file_id INTEGER NOT NULL, rank INTEGER NOT NULL,
  PRIMARY KEY (listing_id, listing_file_id)) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS shop_values (
  value_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, property_id INTEGER NOT NULL, value TEXT NOT NULL,
  UNIQUE (shop_id, property_id, value)) STRICT;
CREATE TABLE IF NOT EXISTS variation_images (
  listing_id INTEGER NOT NULL, property_id INTEGER NOT NULL, value_id INTEGER NOT NULL, image_id INTEGER NOT NULL,
  PRIMARY KEY (listing_id, property_id, value_id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS listing_properties (
  listing_id INTEGER NOT NULL, property_id INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (listing_id, property_id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS personalizations (
  listing_id INTEGER PRIMARY KEY, data TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS translations (
  listing_id INTEGER NOT NULL, language TEXT NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY (listing_id, language)) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS fees (
  fee_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, listing_id INTEGER NOT NULL, kind TEXT NOT NULL,
  amount INTEGER NOT NULL, currency_code TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS receipts (
  receipt_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  is_paid INTEGER NOT NULL, is_shipped INTEGER NOT NULL, is_delivered INTEGER NOT NULL, is_canceled INTEGER NOT NULL,
  data TEXT NOT NULL) STRICT;
-- Older files have another form of it, for orders alone; what waited there is not sent.
DROP TABLE IF EXISTS webhook_messages;
CREATE TABLE webhook_messages (
  message_id TEXT PRIMARY KEY, event_type TEXT NOT NULL, shop_id INTEGER NOT NULL, resource TEXT NOT NULL,
  attempts INTEGER NOT NULL, due_at INTEGER NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS codes (
  code TEXT PRIMARY KEY, user_id INTEGER NOT NULL, scopes TEXT NOT NULL, redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL, expires_at INTEGER NOT NULL, is_used INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE IF NOT EXISTS tokens (
  token TEXT PRIMARY KEY, kind TEXT NOT NULL, user_id INTEGER NOT NULL, scopes TEXT NOT NULL,
  expires_at INTEGER NOT NULL, is_revoked INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX IF NOT EXISTS tokens_of_user ON tokens (user_id);
-- Codes and tokens of the applications that were made; the others are of the first one.
CREATE TABLE IF NOT EXISTS application_grants (
  secret TEXT PRIMARY KEY, keystring TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS faults (
  fault_id INTEGER PRIMARY KEY, rule TEXT NOT NULL, let_through INTEGER NOT NULL, remaining INTEGER NOT NULL) STRICT;
DROP TABLE IF EXISTS recent_calls;
DROP TABLE IF EXISTS minute_calls;
CREATE TABLE IF NOT EXISTS calls_of_second (
  call_id INTEGER PRIMARY KEY, keystring TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS calls_of_second_by_time ON calls_of_second (keystring, at);
CREATE TABLE IF NOT EXISTS calls_of_minute (
  keystring TEXT NOT NULL, minute INTEGER NOT NULL, calls INTEGER NOT NULL,
  PRIMARY KEY (keystring, minute)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS applications (
  application_id INTEGER PRIMARY KEY, keystring TEXT NOT NULL UNIQUE, shared_secret TEXT NOT NULL, user_id INTEGER,
  rate_per_second INTEGER, rate_per_day INTEGER, is_revoked INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS application_use (
  keystring TEXT PRIMARY KEY, calls INTEGER NOT NULL, refused INTEGER NOT NULL,
  most_in_a_second INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS operation_calls (
  operation TEXT PRIMARY KEY, calls INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * Emptied by a reset, in addition to the seeded tables. Tokens, codes and applications stay, so connections
 * stay valid.
 */
export const RESETTABLE_TABLES = [
  'settings',
  'sequences',
  'shops',
  'sections',
  'shipping_profiles',
  'readiness_states',
  'return_policies',
  'production_partners',
  'listings',
  'blobs',
  'images',
  'listing_images',
  'videos',
  'listing_videos',
  'files',
  'listing_files',
  'shop_values',
  'variation_images',
  'listing_properties',
  'personalizations',
  'translations',
  'fees',
  'receipts',
  'webhook_messages',
  'faults',
  'calls_of_second',
  'calls_of_minute',
  'application_use',
  'operation_calls',
] as const;
