import type { Nothing } from './facts.js';

/** Problems of an HTTP request and of its body. */
export type RequestParams = {
  content_type_wrong: { expected: 'json' | 'multipart' | 'form' };
  content_headers_malformed: Nothing;
  encoding_unsupported: Nothing;
  boundary_wrong: { most: number };
  body_too_large: { kibibytes: number };
  body_truncated: Nothing;
  body_too_slow: { seconds: number };
  headers_too_large: { kibibytes: number };
  request_too_slow: Nothing;
  request_malformed: Nothing;
  host_missing: Nothing;
  host_repeated: Nothing;
  host_differs: Nothing;
  host_refused: Nothing;
  other_site_refused: Nothing;
  address_has_nul: Nothing;
  address_encoding_wrong: Nothing;
  /** `instead`: routes at the same path or below it, such as `POST /api/v1/listings/create`. */
  route_not_found: { method: string; path: string; instead: readonly string[] };
  page_not_found: { path: string };
  page_method_wrong: Nothing;

  json_not_utf8: Nothing;
  json_invalid: { position?: number };
  json_key_repeated: Nothing;
  json_too_large: { of: 'levels' | 'keys' | 'values'; most: number };
  json_key_forbidden: Nothing;
  json_unstorable: Nothing;

  message_unexpected: Nothing;
  message_forged: { because: Forgery };
  message_not_json: Nothing;
};

/** Why a message does not come from the marketplace. */
export type Forgery = 'header_missing' | 'timestamp_wrong' | 'timestamp_far' | 'signature_wrong';
