import type { Path } from '../../schemas/issue.js';
import type { AccessParams } from '../../schemas/issues/access.js';
import type { ConnectParams } from '../../schemas/issues/connecting.js';
import type { ImportParams } from '../../schemas/issues/imports.js';
import type { FaultParams, MarketplaceParams } from '../../schemas/issues/marketplace.js';
import type { RequestParams } from '../../schemas/issues/requests.js';
import type { StateParams } from '../../schemas/issues/states.js';

/* Params of the codes that are not about a listing's fields. A code without a sample does not compile. */

type ServiceParams = RequestParams &
  AccessParams &
  StateParams &
  ImportParams &
  ConnectParams &
  MarketplaceParams &
  FaultParams;

const SHOPS = [{ id: 48213377, name: 'ClayAndOak' }];
const NEWEST = { newest: [{ id: 4, name: 'Mug' }], total: 1 };
const DELIVERIES = { newest: [{ id: 12, name: 'order.paid, success' }], total: 1 };
const JOB = 'job_7f3a';
const ANSWER = { message: 'invalid_token', is_ours: false };

export const SERVICE_ISSUE_SAMPLES: {
  [Code in keyof ServiceParams]: readonly [at: Path, params: ServiceParams[Code]];
} = {
  content_type_wrong: ['', { expected: 'json' }],
  content_headers_malformed: ['', {}],
  encoding_unsupported: ['', {}],
  boundary_wrong: ['', { most: 70 }],
  body_too_large: ['', { kibibytes: 1_024 }],
  body_truncated: ['', {}],
  body_too_slow: ['', { seconds: 30 }],
  headers_too_large: ['', { kibibytes: 16 }],
  request_too_slow: ['', {}],
  request_malformed: ['', {}],
  host_missing: ['', {}],
  host_repeated: ['', {}],
  host_differs: ['', {}],
  host_refused: ['', {}],
  other_site_refused: ['', {}],
  address_has_nul: ['', {}],
  address_encoding_wrong: ['', {}],
  route_not_found: [
    '',
    { method: 'GET', path: '/api/v1/listings/create', instead: ['POST /api/v1/listings/create'] },
  ],
  page_not_found: ['', { path: '/dashbord' }],
  page_method_wrong: ['', {}],
  json_not_utf8: ['', {}],
  json_invalid: ['', { position: 17 }],
  json_key_repeated: ['', {}],
  json_too_large: ['', { of: 'levels', most: 32 }],
  json_key_forbidden: ['', {}],
  json_unstorable: ['', {}],
  message_unexpected: ['', {}],
  message_forged: ['', { because: 'signature_wrong' }],
  message_not_json: ['', {}],

  credentials_missing: ['', {}],
  api_key_invalid: ['', {}],
  api_key_expired: ['', { expired_at: '2026-05-01T12:00:00Z' }],
  access_token_invalid: ['', {}],
  api_key_required: ['', { operation_id: 'file_upload' }],
  sign_in_key_revoked: ['', {}],
  session_differs: ['', {}],
  read_only: ['', { operation_id: 'listing_create', by: { of: 'key', key_id: 'key_2b', name: 'reports' } }],
  calls_too_many: ['', { most: 5_000, window: 'day' }],
  attempts_too_many: ['', { of: 'wrong_credentials', is_at_once: false }],
  lookups_too_many: ['', {}],
  messages_too_many: ['', { most: 200, seconds: 10 }],
  messages_too_large: ['', { most_bytes: 16_000_000 }],
  bodies_too_many: ['', {}],
  forms_too_many: ['', {}],
  outward_too_many: ['', {}],
  quota_drafts: ['', { most: 5_000 }],
  quota_draft_bytes: ['', { most: 200_000_000 }],
  quota_upload_bytes: ['file', { most: 2_000_000_000 }],
  quota_open_plans: ['', { most: 100 }],
  quota_sheets: ['', { most: 100 }],
  quota_saved_filters: ['name', { most: 20 }],

  shop_not_found: ['', { shop_id: 7, connected: SHOPS }],
  listing_not_found: ['', { listing_pk: 9, ...NEWEST }],
  listing_id_given: ['', { listing_id: 1234567890, listing_pk: 4 }],
  job_not_found: ['', { latest: [{ id: JOB, name: 'Mug' }] }],
  job_of_other_listing: ['', { job_id: JOB, listing_pk: 4 }],
  category_not_found: ['', { category_id: 999999 }],
  delivery_not_found: ['', { delivery_id: 99, ...DELIVERIES }],
  upload_not_found: ['', {}],
  upload_link_spent: ['', {}],
  api_key_not_found: ['', {}],
  assistant_not_found: ['', {}],
  listing_busy: ['', { job_id: JOB }],
  listing_changed: ['', {}],
  listing_contended: ['', {}],
  photo_waited_too_long: ['', {}],
  creation_unknown: ['', { shop_id: 48213377, job_id: JOB }],
  outcome_unknown: ['', { listing_pk: 4, job_id: JOB }],
  already_in_shop: ['shops[0].shop_id', { shop_id: 48213377, shop_name: 'ClayAndOak', listing_pk: 4 }],
  idempotency_key_reused: ['idempotency_key', {}],
  fee_declined: ['', { because: 'declined' }],
  listing_not_deletable: ['', { listing_pk: 4 }],
  listing_not_given_up: ['', { title: 'Mug' }],
  undo_only_saved: ['', { listing_pk: 4 }],
  undo_nothing: ['', { listing_pk: 4, in_shops: false }],
  undo_job_empty: ['', { job_id: JOB, in_shops: true }],
  upload_in_use: ['', {}],
  file_too_large: ['file', { megabytes: 5 }],
  destination_missing: ['', {}],
  destination_off: ['', {}],
  payload_expired: ['', { delivery_id: 12 }],

  import_not_found: ['', {}],
  import_of_other_shop: ['', {}],
  import_removed: ['', {}],
  import_refused: ['', {}],
  import_without_category: ['', {}],
  import_contended: ['', { job_id: JOB }],
  import_unfinished: ['', { job_id: JOB }],
  import_managed: ['', { own: 9, join: 4 }],
  import_join_gone: ['', { listing_pk: 4 }],
  import_place_taken: ['', { shop_name: 'ClayAndOak', listing_id: 1234567890 }],
  import_shops_too_many: ['', { count: 51, most: 50 }],
  import_product_differs: ['', { by: 'title' }],

  keystring_has_colon: ['keystring', {}],
  keystring_wrong: ['keystring', {}],
  shared_secret_required: ['shared_secret', { by: 'webhook_secret' }],
  shared_secret_wrong: ['shared_secret', {}],
  webhook_secret_wrong: ['webhook_secret', {}],
  application_required: ['', {}],
  application_gone: ['', {}],
  application_refused: ['', { answer: { message: 'Invalid API key', is_ours: false } }],
  consent_unknown: ['', {}],
  consent_expired: ['', { minutes: 15 }],
  consent_used: ['', { shop_name: 'ClayAndOak' }],
  consent_declined: ['', {}],
  consent_refused: ['', { error: 'invalid_scope' }],
  consent_empty: ['', {}],
  consent_code_refused: ['', { answer: { message: 'code has expired', is_ours: false } }],
  consent_without_shop: ['', {}],
  consent_of_other_shop: ['', { shop_id: 7, wanted: 48213377 }],
  consent_not_of_owner: ['', { shop_id: 7 }],
  consent_in_other_browser: ['', {}],

  grant_refused: ['', { answer: ANSWER }],
  grant_lost: ['', { shop_id: 48213377, shop_name: 'ClayAndOak' }],
  marketplace_rate_limit: ['', { answer: { message: 'Too many requests', is_ours: false } }],
  marketplace_unreachable: ['', { answer: { message: 'no answer within 30 seconds', is_ours: true } }],
  marketplace_fault: ['', { status: 503, answer: { message: 'Service Unavailable', is_ours: false } }],
  marketplace_refused: ['', { status: 400, answer: { message: 'Invalid title', is_ours: false } }],
  application_key_refused: ['', { answer: { message: 'Invalid API key', is_ours: false } }],
  application_missing: ['', {}],
  tokens_held: ['', {}],
  disk_full: ['', {}],
  data_forbidden: ['', {}],
  database_damaged: ['', {}],
  database_locked: ['', {}],
  database_silent: ['', {}],
  disk_broken: ['', {}],
  open_files_too_many: ['', {}],
  bucket_refused: ['', {}],
  bucket_missing: ['', {}],
  bucket_silent: ['', {}],
  stored_file_damaged: ['', {}],
  internal: ['', {}],
};
