import type { Nothing } from './facts.js';

/** A credential that may only read. */
export type Restriction =
  { of: 'key'; key_id: string; name: string } | { of: 'token' } | { of: 'signed_in_key' };

/** Requests that are limited by the address that they come from. */
export type AttemptKind = 'registrations' | 'logins' | 'wrong_credentials';

/** Requests of a caller that is unknown, may not do this, or sends too much. */
export type AccessParams = {
  credentials_missing: Nothing;
  api_key_invalid: Nothing;
  api_key_expired: { expired_at: string };
  access_token_invalid: Nothing;
  /** Without an operation: for a request to an address. */
  api_key_required: { operation_id?: string };
  sign_in_key_revoked: Nothing;
  session_differs: Nothing;
  /** Without an operation: for a form. */
  read_only: { operation_id?: string; by: Restriction | { of: 'server' } };

  calls_too_many: { most: number; window: 'second' | 'day' };
  attempts_too_many: { of: AttemptKind; is_at_once: boolean };
  lookups_too_many: Nothing;
  messages_too_many: { most: number; seconds: number };
  messages_too_large: { most_bytes: number };
  bodies_too_many: Nothing;
  forms_too_many: Nothing;
  outward_too_many: Nothing;

  quota_drafts: { most: number };
  quota_draft_bytes: { most: number };
  quota_upload_bytes: { most: number };
  quota_open_plans: { most: number };
  quota_sheets: { most: number };
  quota_saved_filters: { most: number };
};
